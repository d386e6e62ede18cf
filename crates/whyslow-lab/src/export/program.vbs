' @ABOUT@: the experiment of
'     whyslow lab @COMMAND@
' as one script, for a machine without Whyslow. Every Windows runs it:
'     cscript //nologo @CASE@.vbs [DIRECTORY [WORKER]]
'
' It makes DIRECTORY if it is missing, touches only files that it made, and removes them at the end.
' For several processes at once start it with WORKER 0, 1, 2 ... at the same time, all with one DIRECTORY.
'
' VBScript's clock goes forward in steps of up to 16 ms. So one line of the log is the mean of as many
' operations as fill BlockMs milliseconds. The script's own time is in it: some microseconds per operation.
'
' It writes @CASE@.csv (of worker 1: @CASE@-1.csv) to the current directory.
' Take that file to a machine with Whyslow: whyslow lab law @CASE@.csv
Option Explicit
Const Operations = @COUNT@ ' operations
Const Budget = @BUDGET@ ' seconds, then a series ends
Const BlockMs = 160 ' milliseconds between two readings of the clock
@if create rename stat open list
Const Prefill = @PREFILL@ ' files that are made before, not timed
@end
@if stat open list
Const StepSize = @STEP@ ' files that are made between, not timed, each time the directory grows
@end
@if write
Const Size = @SIZE@ ' bytes of a file
@end

Dim fso, directory, worker, files, made, done
Set fso = CreateObject("Scripting.FileSystemObject")
directory = @DIR@
worker = 0
If WScript.Arguments.Count > 0 Then directory = WScript.Arguments.Item(0)
If WScript.Arguments.Count > 1 Then worker = CLng(WScript.Arguments.Item(1))
files = 0
made = 0

' The path of a file; kind is w, or r for renamed ones.
Function PathBy(who, kind, number)
    PathBy = directory & "\" & kind & Right("00000000" & number, 9) & "-" & Right("00" & who, 3)
End Function

Function PathOf(kind, number)
    PathOf = PathBy(worker, kind, number)
End Function

' Makes an empty file that is not there yet, and closes it.
Sub Make(path)
    Dim file
    Set file = fso.CreateTextFile(path, False)
    file.Close
    files = files + 1
End Sub

' Milliseconds; Timer begins anew at midnight.
Dim firstTimer
firstTimer = Timer
Function NowMs()
    Dim passed
    passed = Timer - firstTimer
    If passed < 0 Then passed = passed + 86400
    NowMs = passed * 1000
End Function

@if create
' One operation: create a file and close it. n: files in the directory.
Sub Operation(at)
    Make PathOf("w", at)
End Sub
' The second series: delete the files in the order in which they were made. n: deleted files.
Sub Deletion(at)
    fso.DeleteFile PathOf("w", at)
End Sub
@end
@if rename
' One operation: create a file, close it, rename it. n: files in the directory.
Sub Operation(at)
    Make PathOf("w", at)
    fso.MoveFile PathOf("w", at), PathOf("r", at)
End Sub
@end
@if stat open list
' Not timed: as many more files as a step has.
Sub Grow()
    Dim more
    For more = 1 To StepSize
        Make PathOf("w", made)
        made = made + 1
    Next
End Sub
@end
@if stat
' One operation: look whether a file is there. n: files in the directory.
Sub Operation(at)
    If Not fso.FileExists(PathOf("w", Int(Rnd * made))) Then Err.Raise 53
End Sub
@end
@if open
' One operation: open a file and close it. n: files in the directory.
Sub Operation(at)
    Dim file
    Set file = fso.OpenTextFile(PathOf("w", Int(Rnd * made)), 1)
    file.Close
End Sub
@end
@if list
' One operation: list the directory. n: files in the directory.
Sub Operation(at)
    Dim file, entries
    For Each file In fso.GetFolder(directory).Files
        entries = entries + 1
    Next
End Sub
@end
@if reopen
' One operation: open the file of settings, read one of them, close it. n: settings read.
Dim settings
settings = directory & "\settings-" & Right("00" & worker, 3) & ".ini"
Sub Operation(at)
    Dim file
    Set file = fso.OpenTextFile(settings, 1)
    file.ReadLine
    file.Close
End Sub
@end
@if write
' One operation: write a file of Size bytes and close it. n: files written.
Dim content
content = String(Size, "x")
Sub Operation(at)
    Dim file
    Set file = fso.CreateTextFile(PathOf("w", at), False)
    file.Write content
    file.Close
    files = files + 1
End Sub
@end

' Does one operation of a series; what it did not do is an error.
Sub OneOf(name, at)
@if create
    If name = "delete" Then
        Deletion at
        Exit Sub
    End If
@end
    Operation at
End Sub

' Does the same, and returns whether that succeeded; failure says why not.
Dim failure
Function Succeeded(name, at)
    On Error Resume Next
    OneOf name, at
    Succeeded = (Err.Number = 0)
    If Err.Number <> 0 Then failure = Err.Description & " (error " & Err.Number & ")"
End Function

' Times operations and writes the log; sets done to how many succeeded.
Sub Series(name, ByVal most)
    Dim logName, log, began, start, passed, atStart, n, last
    logName = name & ".csv"
    If worker > 0 Then logName = name & "-" & worker & ".csv"
    Set log = fso.CreateTextFile(logName, True)
    log.WriteLine "n,duration_ns"
    began = NowMs()
    done = 0
    failure = ""
    Do While done < most And NowMs() - began < Budget * 1000 And failure = ""
@if stat open list
        Grow
        last = done + StepSize
        If name = "list" Then last = done + 1
        If last > most Then last = most
@end
@if create rename reopen write
        last = most
@end
        atStart = done
        start = NowMs()
        passed = 0
        Do While done < last And passed < BlockMs And failure = ""
            If Succeeded(name, done) Then done = done + 1
            passed = NowMs() - start
        Loop
        n = files
        If name = "delete" Or name = "reopen" Or name = "write" Then n = done
        If done > atStart Then log.WriteLine n & "," & Int(passed * 1000000 / (done - atStart))
    Loop
    log.Close
    If failure <> "" Then WScript.Echo name & ": stopped after " & done & " operations: " & failure
    WScript.Echo name & ": " & done & " of " & most & " operations, in " & logName
End Sub

' Deletes a file if it is there.
Sub Remove(path)
    If fso.FileExists(path) Then fso.DeleteFile path
End Sub

If Not fso.FolderExists(directory) Then fso.CreateFolder directory
Dim at
@if create stat open list
For at = 0 To Prefill - 1
    Make PathBy(worker + 500, "w", at)
Next
@end
@if rename
For at = 0 To Prefill - 1
    Make PathBy(worker + 500, "r", at)
Next
@end
@if create
Series "create", Operations
Series "delete", done
@end
@if rename stat open write
Series "@CASE@", Operations
@end
@if list
Series "list", Int(Operations / StepSize)
@end
@if reopen
Dim file
Set file = fso.CreateTextFile(settings, False)
For at = 0 To Operations - 1
    file.WriteLine "setting" & at & "=value of setting " & at
Next
file.Close
Series "reopen", Operations
fso.DeleteFile settings
@end

' What is left of its own files.
@if create
For at = done To Operations
    Remove PathOf("w", at)
Next
@end
@if rename
For at = 0 To done
    Remove PathOf("w", at)
    Remove PathOf("r", at)
Next
@end
@if write
For at = 0 To done
    Remove PathOf("w", at)
Next
@end
@if stat open list
For at = 0 To made
    Remove PathOf("w", at)
Next
@end
@if create stat open list
For at = 0 To Prefill - 1
    Remove PathBy(worker + 500, "w", at)
Next
@end
@if rename
For at = 0 To Prefill - 1
    Remove PathBy(worker + 500, "r", at)
Next
@end
' It stays if others have files there.
If fso.GetFolder(directory).Files.Count = 0 And fso.GetFolder(directory).SubFolders.Count = 0 Then fso.DeleteFolder directory
