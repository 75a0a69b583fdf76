import type { InstallTexts } from '../protocol.ts'

/** Starts the agent at boot, and uninstalls it. */
export const servicePart = ({ title, after, page }: InstallTexts) => String.raw`
has_systemd() { has systemctl && [ -d "$ROOT/run/systemd/system" ]; }
is_unraid() { [ -f "$ROOT/etc/unraid-version" ]; }

set_up() {
  choose_platform
  choose_binary
  download
  choose_options
  allow_reenroll
  mv -f "$new" "$binary"
  if has_systemd; then
    start_service
  elif is_unraid; then
    start_by_hook
  else
    write_variables "$VARIABLES"
    say 'This host has no systemd, so nothing was started. Configure its service manager to run'
    say "  sh -c 'set -a; . $VARIABLES; exec $binary$options'"
  fi
}

# The token is in a file of its own: units can be read by everybody.
start_service() {
  write_variables "$VARIABLES"
  (umask 022 && write_unit >"$UNIT")
  systemctl daemon-reload || fail 'systemd could not load the new service (systemctl daemon-reload).'
  systemctl enable "$NAME.service" || fail "The service could not be enabled (systemctl enable $NAME.service)."
  systemctl restart "$NAME.service" || fail "The service could not be started." "See why: systemctl status $NAME.service"
  say "The agent is running as the service $NAME. Its log: journalctl -u $NAME -f"
}

write_unit() {
  cat <<SERVICE
# program: $binary
[Unit]
Description=${title}
After=network-online.target ${after}
Wants=network-online.target

[Service]
Type=simple
User=root
EnvironmentFile=$VARIABLES
Environment=MALLOC_ARENA_MAX=1
ExecStart="$binary"$options
Restart=on-failure
RestartSec=5s
RestartPreventExitStatus=2
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ReadWritePaths=$(dirname "$binary")
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
SERVICE
}

# Of what runs there only the flash drive outlives a restart, and no program can be run from it.
start_by_hook() {
  mkdir -p "$KEPT" "$FLASH/go.d"
  cat "$binary" >"$KEPT/$NAME.new"
  mv -f "$KEPT/$NAME.new" "$KEPT/$NAME"
  write_variables "$KEPT/$NAME.env"
  write_hook >"$HOOK"
  if [ -f "$FLASH/go" ] && ! grep -qxF "$(boot_line)" "$FLASH/go"; then
    if [ -n "$(tail -c 1 "$FLASH/go")" ]; then printf '\n' >>"$FLASH/go"; fi
    boot_line >>"$FLASH/go"
  fi
  end_processes "$binary"
  sh "$HOOK"
  say "The agent is running and starts at boot. Its log: tail -f $LOG"
}

boot_line() { say "[ ! -f $HOOK ] || sh $HOOK # ${title}"; }

write_hook() {
  cat <<HOOK
#!/bin/sh
# Starts the ${title} with the host.
agent='$binary'
[ -x "\$agent" ] || { mkdir -p "\$(dirname "\$agent")" && cp '$KEPT/$NAME' "\$agent" && chmod 0755 "\$agent"; }
set -a
. '$KEPT/$NAME.env'
set +a
nohup "\$agent"$options >>'$LOG' 2>&1 </dev/null &
HOOK
}

take_down() {
  binary_paths >"$work/binary_paths"
  if [ -f "$UNIT" ] && has_systemd; then
    systemctl stop "$NAME.service" || warn "The service could not be stopped (systemctl stop $NAME.service)."
    systemctl disable "$NAME.service" || warn "The service could not be disabled (systemctl disable $NAME.service)."
  fi
  rm -f "$UNIT" "$VARIABLES" "$HOOK"
  rm -rf "$UNIT.d" "$KEPT"
  if has_systemd; then systemctl daemon-reload || warn 'systemd still lists the service (systemctl daemon-reload).'; fi
  if [ -f "$FLASH/go" ] && grep -qxF "$(boot_line)" "$FLASH/go"; then
    grep -vxF "$(boot_line)" "$FLASH/go" >"$work/go" || true
    cat "$work/go" >"$FLASH/go"
  fi
  while IFS= read -r candidate; do
    end_processes "$candidate"
    # Its own update leaves the one before beside it, and what it was fetching when it ended.
    if [ ! -d "$candidate" ]; then rm -f "$candidate" "$candidate.previous" "$candidate.new"*; fi
  done <"$work/binary_paths"
  rmdir "$ROOT/opt/pulse/bin" "$ROOT/opt/pulse" "$ROOT/var/lib/pulse/bin" 2>/dev/null || true
  if [ "$purge" = yes ]; then
    rm -f "$LOG"
  elif [ -f "$LOG" ]; then
    say "Its log was kept: $LOG (--purge removes it too)."
  fi
  say 'The agent was removed from this host. Remove the host in Pulse too (Settings, ${page}).'
}
`
