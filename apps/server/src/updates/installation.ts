import type { VersionInfo } from '@pulse/contract'
import fs from 'node:fs'
import path from 'node:path'

export interface Installation {
  /** public keys, PEM, of those whose releases are believed */
  keys: string
}

/** What can replace itself; otherwise why it cannot. Decision 42 says how such an installation lies on its machine. */
export function readInstallation(
  releaseDir: string | undefined,
  { deploymentType }: Pick<VersionInfo, 'deploymentType'>,
): Installation | { why: string } {
  if (deploymentType !== 'systemd' && deploymentType !== 'proxmoxve')
    return { why: 'Only an installed release can update itself.' }
  const slots = releaseDir && path.dirname(releaseDir)
  if (!slots || path.basename(slots) !== 'slots' || !fs.existsSync(path.join(path.dirname(slots), 'current')))
    return { why: 'This release is not in slot a or b: install it with its install script.' }
  const keyFile = path.join(releaseDir, 'release-key.pem')
  if (!fs.existsSync(keyFile)) return { why: 'This release has no signing key, so it cannot verify updates.' }
  return { keys: fs.readFileSync(keyFile, 'utf8') }
}
