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
    return { why: 'Only an installed release can replace itself.' }
  const slots = releaseDir && path.dirname(releaseDir)
  if (!slots || path.basename(slots) !== 'slots' || !fs.existsSync(path.join(path.dirname(slots), 'current')))
    return { why: 'This release does not lie in one of two slots: install it with its install script.' }
  const keyFile = path.join(releaseDir, 'release-key.pem')
  if (!fs.existsSync(keyFile)) return { why: 'This release came without a key: it can check no other one.' }
  return { keys: fs.readFileSync(keyFile, 'utf8') }
}
