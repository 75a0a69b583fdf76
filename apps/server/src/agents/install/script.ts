import type { AgentPlatform } from '@pulse/contract'
import { quote } from '@pulse/domain'
import type { InstallTexts } from '../protocol.ts'
import { fetchPart } from './fetch.ts'
import { valuesPart } from './values.ts'
import { folderPart } from './folder.ts'
import { servicePart } from './service.ts'

export interface InstallScriptValues {
  /** SHA-256 of this server's agents, hex; absent for platforms that the build left out */
  checksums: Readonly<Partial<Record<AgentPlatform, string>>>
  /** port of this server, used when the script runs on the same machine without --url */
  port: number
  /** Root of the file tree; each test has its own. */
  root?: string
}

/** Called on the last line, so that a truncated script changes nothing. Commands run with stdin closed. */
const mainPart = String.raw`
main() {
  read_environment
  read_arguments "$@"
  check_values
  become_root "$@"
  work=$(mktemp -d)
  trap clean_up EXIT
  if [ "$action" = uninstall ]; then take_down; else set_up; fi
}

main "$@" </dev/null
`

/** Works in any POSIX shell: container hosts have dash, busybox or bash. */
export function installScript(
  texts: InstallTexts,
  { checksums, port, root = '' }: InstallScriptValues,
): string {
  const constants = {
    ROOT: root,
    DEFAULT_URL: `http://localhost:${port}`,
    SHA256_AMD64: checksums['linux-amd64'] ?? '',
    SHA256_ARM64: checksums['linux-arm64'] ?? '',
  }
  return [
    '#!/bin/sh',
    `# Installs the ${texts.title}, which reports ${texts.reports}.`,
    '# Running it again repairs the agent; --uninstall removes it.',
    'set -eu',
    'umask 077',
    '# Makes ranges of letters independent of the locale.',
    'LC_ALL=C',
    'export LC_ALL',
    '',
    ...Object.entries(constants).map(([name, value]) => `readonly ${name}=${quote(value)}`),
    ...[valuesPart(texts), fetchPart(texts), folderPart, servicePart(texts)].map((part) => part.trimEnd()),
    mainPart,
  ].join('\n')
}
