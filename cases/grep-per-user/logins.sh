# Counts the log-ins of each user.
users=0
while read -r user; do
    logins=$(grep -c "user=$user " mail.log)
    echo "$user $logins"
    users=$((users + 1))
done < users > logins.txt
echo "users $users" > truth
