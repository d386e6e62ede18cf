#!/bin/bash
# Lists the last changes of a project, each with the first release that has it.
cd repo || exit 1

first_release() {
    git tag --contains "$1" --sort=version:refname | head -n 1
}

write_line() {
    printf '%s  %-8s %s\n' "${1:0:8}" "${2:-(next)}" "$3"
}

end=$(( ${EPOCHREALTIME/./} + 2000000 ))
count=0
while read -r commit subject; do
    write_line "$commit" "$(first_release "$commit")" "$subject"
    count=$(( count + 1 ))
    (( ${EPOCHREALTIME/./} > end )) && break
done < <(git log --format='%H %s' -n 900 main) > ../notes.txt
echo "$count changes"
