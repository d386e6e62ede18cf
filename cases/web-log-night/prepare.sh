#!/bin/sh
# The logs of thirteen sites, and the configuration of their rotation.
mkdir -p logs
for site in ale bakery chess dairy eel farm goat hay ink jam kiln loom mill; do
    seq 1 9000 | sed "s/^/GET \/$site\/page-/" > logs/$site.log
done
cat > rotate.conf <<X
$PWD/logs/*.log {
    rotate 4
    compress
    missingok
    create 0640 root root
    su root root
    postrotate
        sh $CASE/reload-web.sh $PWD/reloads
    endscript
}
X
chmod 600 rotate.conf
