/** Chooses the folder, writes the variables and ends the agent's processes. */
export const folderPart = String.raw`
# Whether programs can be put into a folder and be run from there.
is_usable() {
  if [ ! -d "$1" ]; then (umask 022 && mkdir -p "$1") 2>/dev/null || return 1; fi
  probe="$1/.$NAME.probe"
  rm -f "$probe" 2>/dev/null || return 1
  { printf '#!/bin/sh\nexit 0\n' >"$probe"; } 2>/dev/null || return 1
  works=no
  if chmod 0700 "$probe" && "$probe" 2>/dev/null; then works=yes; fi
  rm -f "$probe"
  [ "$works" = yes ]
}

# Where the service or the hook that is there starts it. A unit that is not ours may start a shell.
installed_path() {
  sed -n 's/^# program: //p' "$UNIT" 2>/dev/null || true
  sed -n "s|^ExecStart=\([^ ]*/$NAME\)\( .*\)\{0,1\}$|\1|p" "$UNIT" 2>/dev/null || true
  sed -n "s/^agent='\(.*\)'$/\1/p" "$HOOK" 2>/dev/null || true
}

binary_paths() {
  if [ -n "$agent_path" ]; then say "$agent_path"; fi
  installed_path
  for folder in usr/local/bin opt/pulse/bin opt/bin var/lib/pulse/bin; do say "$ROOT/$folder/$NAME"; done
}

choose_binary() {
  if [ -n "$agent_path" ] && [ -d "$agent_path" ]; then agent_path="$(without_slashes "$agent_path")/$NAME"; fi
  binary=$(
    binary_paths | while IFS= read -r candidate; do
      if [ ! -d "$candidate" ] && is_usable "$(dirname "$candidate")"; then
        say "$candidate"
        break
      fi
    done
  )
  [ -n "$binary" ] || fail 'Found no folder in which programs can be installed and run.' 'Set one: --agent-path /path/to/file.'
  if [ -n "$agent_path" ] && [ "$binary" != "$agent_path" ]; then
    warn "The agent cannot be installed at $agent_path; using $binary instead."
  fi
}

write_variables() {
  {
    if [ "$(printf '%s\n' "$targets" | wc -l)" -eq 1 ]; then
      assign PULSE_URL "$server_url"
      assign PULSE_TOKEN "$server_token"
      if [ "$insecure" = yes ]; then all_insecure=yes; fi
    else
      assign PULSE_TARGETS "$(printf '%s\n' "$targets" | tr '\n' ';' | sed 's/;$//')"
    fi
    if [ -n "$all_insecure" ]; then assign PULSE_INSECURE_SKIP_VERIFY true; fi
    if [ -n "$interval" ]; then assign PULSE_INTERVAL "$interval"; fi
  } >"$1.new"
  chmod 0600 "$1.new"
  mv -f "$1.new" "$1"
}

# By the program itself: any program could have that name, and the agent writes its own over its arguments.
processes_of() {
  (cd /proc && grep -lF -e "$NAME" -e "$1" [0-9]*/cmdline) | while IFS=/ read -r process _; do
    case "$(readlink "/proc/$process/exe" || true)" in
      "$1" | "$1 (deleted)") ;;
      *) tr '\000' '\n' <"/proc/$process/cmdline" | sed -n 1,2p | grep -qxF "$1" || continue ;;
    esac
    say "$process"
  done
} 2>/dev/null

end_processes() {
  for process in $(processes_of "$1"); do
    kill "$process" 2>/dev/null || continue
    left=25
    while kill -0 "$process" 2>/dev/null && [ "$left" -gt 0 ]; do
      left=$((left - 1))
      sleep 0.2 2>/dev/null || sleep 1
    done
    if [ "$left" -eq 0 ]; then kill -9 "$process" 2>/dev/null || true; fi
  done
}
`
