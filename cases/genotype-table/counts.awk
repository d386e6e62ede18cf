# Counts alleles per position in a table with one column for each of 2,500 samples.
# The call is cut off the front of the row, because an older awk could not have more than 100 fields.
function next_call(    call) {
    if (!match(row, /[^\t]+/)) return ""
    call = substr(row, RSTART, RLENGTH)
    row = substr(row, RSTART + RLENGTH)
    return call
}
function classify(call) {
    if (call == "./.") missing++
    else {
        if (substr(call, 1, 1) == "1") alternate++
        if (substr(call, 3, 1) == "1") alternate++
        called += 2
    }
}
{
    row = $0
    chromosome = next_call()
    position = next_call()
    missing = alternate = called = 0
    while ((call = next_call()) != "") classify(call)
    printf "%s\t%d\t%.4f\t%d\n", chromosome, position, called ? alternate / called : 0, missing
}
