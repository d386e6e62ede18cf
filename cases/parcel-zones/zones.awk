# Adds up the parcels of each zone. First file: the ranges of the zones; second file: the parcels.
function zone_of(postcode,    n) {
    for (n = 1; n <= ranges; n++)
        if (postcode >= from[n] && postcode <= to[n])
            return zone[n]
    return "unknown"
}

FNR == NR {
    ranges++
    from[ranges] = $1 + 0
    to[ranges] = $2 + 0
    zone[ranges] = $3
    next
}

{ parcels[zone_of($2 + 0)]++ }

END {
    for (z in parcels)
        print z, parcels[z] > "report.txt"
}
