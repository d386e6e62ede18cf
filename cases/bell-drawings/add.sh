# Keeps the drawings of a bell foundry in git.
git init -q foundry && cd foundry || exit 1
git config core.fsync all
git config core.fsyncMethod fsync
git config gc.auto 0
mv ../drawings .
git add drawings
git -c user.name=f -c user.email=f@example.org commit -q -m "drawings of the year"
git log --oneline | wc -l
