#!/bin/bash
# A quiz: quiz.sh SECONDS-PER-QUESTION. Players press the buzzer (a named pipe) in time, or the next question comes.
seconds=$1
exec 3<> buzzer
score=0
while read -r question; do
    echo "$question" >> asked.txt
    if read -r -t "$seconds" -u 3 answer; then
        score=$((score + 1))
        echo "$answer" >> answers.txt
    fi
done <<END
Which river flows through Graz?
How many keys has a piano?
Who painted the water lilies?
What is the smallest prime above 90?
Where do puffins breed?
END
echo "score $score" > score.txt
