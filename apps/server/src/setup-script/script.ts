import type { SetupKind } from '@pulse/contract'
import { quote } from '@pulse/domain'
import { commonPart } from './common-part.ts'
import { pbsPart } from './pbs-script.ts'
import { pvePart } from './pve-script.ts'
import { scriptUrl, type SetupValues, tokenNameFor } from './values.ts'

/**
 * Hook to install and remove the temperature helper on a PVE host. The script calls it with `install` after
 * the registration and with `remove`, as root, with the script's constants. A failure must not undo earlier
 * steps.
 */
const temperatureHook = String.raw`
temperature_helper() { :; }
`

const partsOf = (type: SetupKind, temperature: string): readonly string[] =>
  type === 'pve' ? [commonPart, temperature, pvePart] : [commonPart, pbsPart]

/**
 * Called on the last line, so that a truncated script changes nothing. Its commands cannot read the rest of
 * the script.
 */
const mainPart = String.raw`
main() {
  read_arguments "$@"
  detect
  if [ "$action" = remove ]; then take_down; else set_up; fi
}

main "$@" </dev/null
`

const products: Record<SetupKind, string> = { pve: 'Proxmox VE', pbs: 'Proxmox Backup Server' }

/** `temperature` defines the function `temperature_helper` for a PVE host. */
export function setupScript(values: SetupValues, temperature = temperatureHook): string {
  const { type, host, pulseUrl, backupPerms, tlsPin = '' } = values
  return [
    '#!/usr/bin/env bash',
    `# Lets Pulse monitor this ${products[type]} host: creates a read-only account and its API token, and registers the host.`,
    '# Running it again repairs the setup; --remove undoes it.',
    'set -euo pipefail',
    'umask 077',
    '# Makes ranges of letters independent of the locale.',
    'export LC_ALL=C',
    '',
    constants({
      KIND: type,
      PULSE_URL: pulseUrl,
      SCRIPT_URL: scriptUrl(values),
      HOST_URL: host,
      TOKEN_NAME: tokenNameFor(pulseUrl),
      TLS_PIN: tlsPin,
      ...(type === 'pve' ? { BACKUP_PERMS: backupPerms } : {}),
    }),
    ...partsOf(type, temperature),
    mainPart.trimStart(),
  ].join('\n')
}

/** The only place where values enter a script: as constants before its first line of code. */
export const constants = (values: Record<string, Parameters<typeof quote>[0]>): string =>
  Object.entries(values)
    .map(([name, value]) => `readonly ${name}=${quote(value)}`)
    .join('\n')
