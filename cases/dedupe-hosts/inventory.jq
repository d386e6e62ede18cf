# One record per host and port, the first one wins; the ports of a host are put together afterwards.
def known($r): any(.[]; .host == $r.host and .port == $r.port);
def add_record($r): if known($r) then . else . + [$r] end;

reduce .[] as $r ([]; add_record($r))
| group_by(.host)
| map({host: .[0].host, ip: .[0].ip, ports: (map(.port) | sort)})
