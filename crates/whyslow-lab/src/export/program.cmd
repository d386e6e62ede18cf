@echo off
rem @ABOUT@: the experiment of
rem     whyslow lab @COMMAND@
rem as one batch file, for a machine without Whyslow. Every Windows runs it:
rem     @CASE@.cmd [DIRECTORY [WORKER]]
rem
rem It makes DIRECTORY if it is missing, touches only files that it made, and removes them at the end.
rem For several processes at once start it with WORKER 0, 1, 2 ... at the same time, all with one DIRECTORY.
rem
rem The clock of a batch file goes forward in steps of 10 ms. So one line of the log is the mean of EVERY
rem operations between two readings; the time of the command interpreter is in it, up to a millisecond each.
rem A PowerShell script (--as ps1) or a C program (--as c) measures every single operation.
rem
rem It writes @CASE@.csv (of worker 1: @CASE@-1.csv) to the current directory.
rem Take that file to a machine with Whyslow: whyslow lab law @CASE@.csv
setlocal EnableExtensions
set "DIRECTORY=@DIR@"
if not "%~1"=="" set "DIRECTORY=%~1"
set WORKER=0
if not "%~2"=="" set WORKER=%~2
rem operations; seconds, then a series ends; operations between two readings of the clock
set COUNT=@COUNT@
set BUDGET=@BUDGET@
set EVERY=@EVERY@
@if create rename stat open list
rem files that are made before, not timed
set PREFILL=@PREFILL@
@end
@if stat open list
rem files that are made between, not timed, each time the directory grows
set STEP=@STEP@
@end
@if write
rem bytes of a file, in lines of 50
set SIZE=@SIZE@
@end

set FILES=0
set MADE=0
set /a SUFFIX=1000 + WORKER
set SUFFIX=%SUFFIX:~1%
set /a BEFORE=1500 + WORKER
set BEFORE=%BEFORE:~1%
if not exist "%DIRECTORY%\" mkdir "%DIRECTORY%"
if not exist "%DIRECTORY%\" exit /b 1

@if create rename stat open list write
if exist "%DIRECTORY%\?*-%SUFFIX%" echo %DIRECTORY% holds files of another run& exit /b 1
@end
@if create stat open list
set KIND=w
@end
@if rename
set KIND=r
@end
@if create rename stat open list
for /l %%i in (1,1,%PREFILL%) do call :make %KIND% %%i %BEFORE%
@end
@if write
rem A file of SIZE bytes to copy from.
set "CONTENT=%TEMP%\content-%SUFFIX%.tmp"
if exist "%CONTENT%" del "%CONTENT%"
set /a LINES=SIZE / 50
type nul > "%CONTENT%"
for /l %%i in (1,1,%LINES%) do >> "%CONTENT%" echo 123456789012345678901234567890123456789012345678
@end
@if reopen
set "SETTINGS=%DIRECTORY%\settings-%SUFFIX%.ini"
type nul > "%SETTINGS%"
for /l %%i in (1,1,%COUNT%) do >> "%SETTINGS%" echo setting%%i=value of setting %%i
@end
@if create
call :series create %COUNT%
call :series delete %DONE%
@end
@if rename stat open reopen write
call :series @CASE@ %COUNT%
@end
@if list
set EVERY=1
set /a MOST=COUNT / STEP
call :series list %MOST%
@end

rem What is left of its own files.
@if create rename stat open list write
if exist "%DIRECTORY%\w*-%SUFFIX%" del /q "%DIRECTORY%\w*-%SUFFIX%"
if exist "%DIRECTORY%\r*-%SUFFIX%" del /q "%DIRECTORY%\r*-%SUFFIX%"
if exist "%DIRECTORY%\w*-%BEFORE%" del /q "%DIRECTORY%\w*-%BEFORE%"
if exist "%DIRECTORY%\r*-%BEFORE%" del /q "%DIRECTORY%\r*-%BEFORE%"
@end
@if reopen
del /q "%SETTINGS%"
@end
@if write
del /q "%CONTENT%"
@end
rem It stays if others have files there.
rmdir "%DIRECTORY%" 2> nul
exit /b 0

rem Times operations and writes the log: series NAME COUNT; sets DONE to how many succeeded.
:series
set LOG=%1.csv
if not %WORKER%==0 set LOG=%1-%WORKER%.csv
> "%LOG%" echo n,duration_ns
set DONE=0
call :now
set /a END=NOW + BUDGET * 100
:block
if %DONE% geq %2 goto :ended
call :now
if %NOW% geq %END% goto :ended
set /a LAST=DONE + EVERY
if %LAST% gtr %2 set LAST=%2
@if stat open list
for /l %%i in (1,1,%STEP%) do call :grow
@end
set BEGAN=%DONE%
set FAILED=
set /a FROM=DONE, TO=LAST - 1
call :now
set START=%NOW%
for /l %%i in (%FROM%,1,%TO%) do if not defined FAILED call :one %1 %%i
call :now
if %DONE%==%BEGAN% goto :ended
set /a PASSED=NOW - START
set /a TIMES=DONE - BEGAN
set /a NS=PASSED * 10000 / TIMES
call :size_%1
>> "%LOG%" echo %N%,%NS%000
if not defined FAILED goto :block
:ended
echo %1: %DONE% of %2 operations, in %LOG%
exit /b 0

rem Does one operation: one NAME NUMBER.
:one
call :%1 %2
if errorlevel 1 (set FAILED=yes) else (set /a DONE+=1)
exit /b 0

rem Hundredths of a second since midnight; later than midnight after a day that began before.
:now
for /f "tokens=1-4 delims=:.,/ " %%a in ("%TIME: =0%") do set /a NOW=((1%%a - 100) * 60 + 1%%b - 100) * 6000 + (1%%c - 100) * 100 + 1%%d - 100
if defined EARLIER if %NOW% lss %EARLIER% set /a NOW+=8640000
set EARLIER=%NOW%
exit /b 0

@if create rename stat open list
rem Makes a file: make KIND NUMBER SUFFIX; the number counts from 1.
:make
set /a NAME=1000000000 + %2 - 1
type nul > "%DIRECTORY%\%1%NAME:~1%-%3"
set /a FILES+=1
exit /b 0
@end
@if stat open list
:grow
set /a MADE+=1
call :make w %MADE% %SUFFIX%
exit /b 0
@end

@if create
rem One operation: create a file and close it. n: files in the directory.
:create
set /a NAME=1000000000 + %1
type nul > "%DIRECTORY%\w%NAME:~1%-%SUFFIX%"
if errorlevel 1 exit /b 1
set /a FILES+=1
exit /b 0
:size_create
set N=%FILES%
exit /b 0

rem The second series: delete the files in the order in which they were made. n: deleted files.
:delete
set /a NAME=1000000000 + %1
del /q "%DIRECTORY%\w%NAME:~1%-%SUFFIX%"
exit /b %ERRORLEVEL%
:size_delete
set N=%DONE%
exit /b 0
@end
@if rename
rem One operation: create a file, close it, rename it. n: files in the directory.
:rename
set /a NAME=1000000000 + %1
type nul > "%DIRECTORY%\w%NAME:~1%-%SUFFIX%"
if errorlevel 1 exit /b 1
ren "%DIRECTORY%\w%NAME:~1%-%SUFFIX%" "r%NAME:~1%-%SUFFIX%"
if errorlevel 1 exit /b 1
set /a FILES+=1
exit /b 0
:size_rename
set N=%FILES%
exit /b 0
@end
@if stat
rem One operation: look whether a file is there. n: files in the directory.
:stat
set /a NAME=%1 * 31
set /a NAME=1000000000 + NAME - NAME / MADE * MADE
if exist "%DIRECTORY%\w%NAME:~1%-%SUFFIX%" exit /b 0
exit /b 1
:size_stat
set N=%FILES%
exit /b 0
@end
@if open
rem One operation: open a file and close it. n: files in the directory.
:open
set /a NAME=%1 * 31
set /a NAME=1000000000 + NAME - NAME / MADE * MADE
type "%DIRECTORY%\w%NAME:~1%-%SUFFIX%" > nul
exit /b %ERRORLEVEL%
:size_open
set N=%FILES%
exit /b 0
@end
@if list
rem One operation: list the directory. n: files in the directory.
:list
dir /b "%DIRECTORY%" > nul
exit /b %ERRORLEVEL%
:size_list
set N=%FILES%
exit /b 0
@end
@if reopen
rem One operation: open the file of settings, read one of them, close it. n: settings read.
:reopen
set /p LINE=< "%SETTINGS%"
exit /b %ERRORLEVEL%
:size_reopen
set N=%DONE%
exit /b 0
@end
@if write
rem One operation: write a file of SIZE bytes and close it. n: files written.
:write
set /a NAME=1000000000 + %1
copy /b /y "%CONTENT%" "%DIRECTORY%\w%NAME:~1%-%SUFFIX%" > nul
exit /b %ERRORLEVEL%
:size_write
set N=%DONE%
exit /b 0
@end
