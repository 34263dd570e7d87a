@echo off
rem Starts Haggle on Windows, in a checkout or beside a wheel (haggle_game-....whl). Without arguments: the demo.
rem It needs only what Windows 10 (1803) and newer bring, and no administrator's rights: it downloads uv,
rem which installs Python and all packages for this user, and starts them.
setlocal
set "VERSION=0.12.16"
set "HASH=f730454bf09019754e5e5abd71a8aa18683cb739cba0d9c720bac2e7c901160f"
set "SOURCE=https://github.com/astral-sh/uv/releases/download/%VERSION%/uv-x86_64-pc-windows-msvc.zip"
set "FOLDER=%LOCALAPPDATA%\haggle\uv-%VERSION%"
rem Windows on ARM runs packages for x86-64, and some have no others.
set "PYTHON=cpython-3.13-windows-x86_64"
rem Whole paths, since programs of the same names on the PATH (such as Git's) behave differently.
set "SYSTEM=%SystemRoot%\System32"

if exist "%FOLDER%\uv.exe" goto start
echo Downloading uv %VERSION%, which installs Haggle ...
set "REASON=no folder %FOLDER% could be made"
if not exist "%FOLDER%\new" mkdir "%FOLDER%\new" || goto failed
set "REASON=uv could not be downloaded: go online and start this again, or put the uv.exe of uv %VERSION% into %FOLDER%"
"%SYSTEM%\curl.exe" --fail --location --silent --show-error --retry 2 --output "%FOLDER%\uv.zip" "%SOURCE%" || goto failed
set "REASON=the downloaded file differs from the expected one: start this again, or ask who runs your network"
"%SYSTEM%\certutil.exe" -hashfile "%FOLDER%\uv.zip" SHA256 | "%SYSTEM%\findstr.exe" /i /c:"%HASH%" >nul || goto failed
set "REASON=the downloaded file could not be unpacked into %FOLDER%: is the disk full?"
"%SYSTEM%\tar.exe" -xf "%FOLDER%\uv.zip" -C "%FOLDER%\new" uv.exe || goto failed
move /y "%FOLDER%\new\uv.exe" "%FOLDER%\uv.exe" >nul || goto failed
del "%FOLDER%\uv.zip"

:start
rem The PATH may contain another uv.
set "PATH=%FOLDER%;%PATH%"
rem Trust Windows' certificates, such as that of a company's proxy.
set "UV_SYSTEM_CERTS=true"
set "PYTHONUTF8=1"
if exist "%~dp0tools\launch.py" goto checkout
set "WHEEL="
set "SEVERAL="
for %%F in ("%~dp0haggle_game-*.whl") do (
    if defined WHEEL set "SEVERAL=true"
    set "WHEEL=%%~fF"
)
set "REASON=several haggle_game-....whl beside this file: delete all but the newest"
if defined SEVERAL goto failed
set "REASON=no haggle_game-....whl beside this file: download both into the same folder"
if not defined WHEEL goto failed
set "REASON=Haggle stopped with the error above; if that is about a download, go online and start this again"
if "%~1"=="" goto demo
"%FOLDER%\uv.exe" tool run --python %PYTHON% --from "%WHEEL%" haggle %* || goto failed
exit /b 0

:demo
"%FOLDER%\uv.exe" tool run --python %PYTHON% --from "%WHEEL%" haggle demo || goto failed
exit /b 0

:checkout
set "REASON=Haggle stopped with the error above; if that is about a download, go online and start this again"
set "START=import sys; sys.path.insert(0, sys.argv[1]); from tools.launch import main; sys.exit(main(sys.argv[1], sys.argv[2:]))"
"%FOLDER%\uv.exe" run --quiet --no-project --python %PYTHON% python -I -c "%START%" "%~dp0." %* || goto failed
exit /b 0

:failed
set "CODE=%ERRORLEVEL%"
if "%CODE%"=="0" set "CODE=1"
rem In quotation marks, since a folder may have a name with &.
echo "haggle: %REASON%" 1>&2
rem The window of a double click would close at once.
if "%~1"=="" pause
exit /b %CODE%
