# @ABOUT@: the experiment of
#     whyslow lab @COMMAND@
# as one script, for a machine without Whyslow. PowerShell 5.1 (part of Windows) and 7 run it:
#     powershell -ExecutionPolicy Bypass -File @CASE@.ps1 [DIRECTORY [WORKER]]
#
# It makes DIRECTORY if it is missing, touches only files that it made, and removes them at the end.
# For several processes at once start it with WORKER 0, 1, 2 ... at the same time, all with one DIRECTORY.
#
# It writes every operation to @CASE@.csv (of worker 1: @CASE@-1.csv) in the current directory.
# Take that file to a machine with Whyslow: whyslow lab law @CASE@.csv
# PowerShell itself adds some microseconds to every operation.
param([string]$Directory = @DIR@, [int]$Worker = 0)

$Count = @COUNT@          # operations
$BudgetSeconds = @BUDGET@  # a series ends after this time
@if create rename stat open list
$Prefill = @PREFILL@      # files that are made before, not timed
@end
@if stat open list
$Step = @STEP@            # files that are made between, not timed, each time the directory grows
@end
@if write
$Size = @SIZE@            # bytes of a file
@end

$ErrorActionPreference = 'Stop'
$Directory = [IO.Directory]::CreateDirectory((Join-Path (Get-Location) $Directory)).FullName
$script:Files = 0

@if create rename stat open list write
# The path of a file; kind is w, or r for renamed ones.
function PathOf([string]$kind, [long]$number, [int]$who = $Worker) {
    [IO.Path]::Combine($Directory, ('{0}{1:d9}-{2:d3}' -f $kind, $number, $who))
}

@end
@if create rename stat open list
# Makes an empty file that is not there yet, and closes it.
function Make([string]$path) {
    [IO.File]::Open($path, [IO.FileMode]::CreateNew, [IO.FileAccess]::Write, [IO.FileShare]::None).Dispose()
    $script:Files++
}

@end
# Times operations one by one, then writes the log; returns how many succeeded.
# $prepare is not timed. $path takes the number of an operation, $run what $path returns, $n tells the size.
function Series([string]$name, [long]$count, [scriptblock]$prepare, [scriptblock]$path, [scriptblock]$run, [scriptblock]$n) {
    $log = New-Object 'Collections.Generic.List[string]' ([int]($count + 1))
    $log.Add('n,duration_ns')
    $toNs = 1e9 / [Diagnostics.Stopwatch]::Frequency
    $watch = [Diagnostics.Stopwatch]::StartNew()
    $done = 0
    try {
        while ($done -lt $count -and $watch.Elapsed.TotalSeconds -lt $BudgetSeconds) {
            $null = & $prepare $done
            $arguments = & $path $done
            $start = [Diagnostics.Stopwatch]::GetTimestamp()
            $null = & $run $arguments
            $ticks = [Diagnostics.Stopwatch]::GetTimestamp() - $start
            $log.Add(('{0},{1}' -f (& $n $done), [long]($ticks * $toNs)))
            $done++
        }
    } catch {
        [Console]::Error.WriteLine("${name}: stopped after $done operations: $($_.Exception.Message)")
    }
    $file = if ($Worker) { "$name-$Worker.csv" } else { "$name.csv" }
    [IO.File]::WriteAllLines((Join-Path (Get-Location) $file), $log)
    [Console]::WriteLine("${name}: $done of $count operations, in $file")
    $done
}

@if create
# One operation: create a file and close it. n: files in the directory.
$operation = { param($path) [IO.File]::Open($path, 'CreateNew', 'Write', 'None').Dispose(); $script:Files++ }
$path = { param($at) PathOf 'w' $at }
@end
@if rename
# One operation: create a file, close it, rename it. n: files in the directory.
$operation = {
    param($paths)
    [IO.File]::Open($paths[0], 'CreateNew', 'Write', 'None').Dispose()
    [IO.File]::Move($paths[0], $paths[1])
    $script:Files++
}
$path = { param($at) (PathOf 'w' $at), (PathOf 'r' $at) }
@end
@if stat open list
# Before each STEP operations, not timed: as many more files.
$script:Made = 0
function Grow {
    for ($file = 0; $file -lt $Step; $file++) { Make (PathOf 'w' $script:Made); $script:Made++ }
}
@end
@if stat open
$random = New-Object Random 1
# One of the files that are there.
$path = { param($at) PathOf 'w' ($random.Next($script:Made)) }
@end
@if stat
# One operation: read the status of a file. n: files in the directory.
$operation = { param($path) [IO.File]::GetAttributes($path) }
@end
@if open
# One operation: open a file and close it. n: files in the directory.
$operation = { param($path) [IO.File]::Open($path, [IO.FileMode]::Open, [IO.FileAccess]::Read).Dispose() }
@end
@if list
# One operation: list the directory. n: files in the directory.
$operation = { param($path) foreach ($entry in [IO.Directory]::EnumerateFileSystemEntries($path)) { } }
$path = { param($at) $Directory }
@end
@if reopen
# One operation: open the file of settings, read the block with one of them, close it. n: settings read.
$settings = [IO.Path]::Combine($Directory, ('settings-{0:d3}.ini' -f $Worker))
$block = New-Object byte[] 4096
$operation = {
    param($offset)
    $file = New-Object IO.FileStream $settings, 'Open', 'Read', 'Read', 1
    try { [void]$file.Seek($offset, 'Begin'); [void]$file.Read($block, 0, 4096) } finally { $file.Dispose() }
}
$path = { param($at) [long][Math]::Floor($at * 32 / 4096) * 4096 }
@end
@if write
# One operation: write a file of $Size bytes, 4096 at a time, and close it. n: files written.
$block = New-Object byte[] 4096
$operation = {
    param($path)
    $file = New-Object IO.FileStream $path, 'CreateNew', 'Write', 'None', 1
    try {
        for ($left = $Size; $left -gt 0; $left -= 4096) { $file.Write($block, 0, [Math]::Min($left, 4096)) }
    } finally { $file.Dispose() }
}
$path = { param($at) PathOf 'w' $at }
@end

$nothing = { $null }
try {
@if create stat open list
    while ($script:Files -lt $Prefill) { Make (PathOf 'w' $script:Files ($Worker + 500)) }
@end
@if rename
    while ($script:Files -lt $Prefill) { Make (PathOf 'r' $script:Files ($Worker + 500)) }
@end
@if create
    $done = Series 'create' $Count $nothing $path $operation { $script:Files }
    $delete = { param($path) [IO.File]::Delete($path) }
    $null = Series 'delete' $done $nothing $path $delete { param($at) $at + 1 }
@end
@if rename
    $null = Series 'rename' $Count $nothing $path $operation { $script:Files }
@end
@if stat open
    $null = Series '@CASE@' $Count { param($at) if ($at % $Step -eq 0) { Grow } } $path $operation { $script:Files }
@end
@if list
    $null = Series 'list' ([Math]::Floor($Count / $Step)) { Grow } $path $operation { $script:Files }
@end
@if reopen
    $lines = for ($at = 0; $at -lt $Count; $at++) { 'setting{0:d6}={1,-16}' -f ($at % 1000000), $at }
    [IO.File]::WriteAllLines($settings, [string[]]$lines)
    $null = Series 'reopen' $Count $nothing $path $operation { param($at) $at + 1 }
@end
@if write
    $null = Series 'write' $Count $nothing $path $operation { param($at) $at + 1 }
@end
} finally {
    # What is left of its own files.
@if create rename stat open list write
    foreach ($who in $Worker, ($Worker + 500)) {
        foreach ($kind in 'w', 'r') {
            $mine = '{0}?????????-{1:d3}' -f $kind, $who
            foreach ($file in [IO.Directory]::GetFiles($Directory, $mine)) { [IO.File]::Delete($file) }
        }
    }
@end
@if reopen
    [IO.File]::Delete($settings)
@end
    # It stays if others have files there.
    try { [IO.Directory]::Delete($Directory) } catch { }
}
