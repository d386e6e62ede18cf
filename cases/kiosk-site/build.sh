#!/bin/bash
# Builds the site, and builds it again as long as somebody may still change it (two seconds).
export HOME="$PWD/home" npm_config_update_notifier=false npm_config_cache="$PWD/home/cache" npm_config_audit=false npm_config_fund=false
end=$((SECONDS + 3))
until ((SECONDS >= end)); do
    npm run -s build || exit 1
done
ls out
