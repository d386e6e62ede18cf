#!/bin/sh
# A book in a repository, whose hook counts the words of each chapter that is committed.
set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git init -q -b main book
cat > book/.git/hooks/pre-commit <<'HOOK'
#!/bin/sh
# Counts words, once the editor has let go of its files.
sleep 0.5
git diff --cached --name-only | while read -r chapter; do
	echo "$(wc -w < "$chapter") $chapter"
done >> .git/words
HOOK
chmod +x book/.git/hooks/pre-commit
for n in 1 2 3 4 5; do
	seq 1 4000 | awk -v n=$n '{ printf "word%d ", $1 * n % 997 } END { print "" }' > "chapter-$n.txt"
done
