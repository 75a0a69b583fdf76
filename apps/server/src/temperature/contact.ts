import type { Clock } from '@pulse/domain'
import type { TemperatureNodeRow } from '../db/schema.ts'
import { blankHostKeyFile, takeHostKey, writeHostKey } from './host-keys.ts'
import { readSensors } from './sensors.ts'
import { readOverSsh, SensorsError } from './ssh.ts'
import { aliasOf, type Target } from './targets.ts'

export interface ContactEdges {
  folder: string
  user: string
  clock: Clock
}

/** One reading of a node. On first contact, without a known key, it includes the presented host key. */
export async function readNode(
  { folder, user, clock }: ContactEdges,
  target: Target,
  { port, host_key: known }: TemperatureNodeRow,
  signal?: AbortSignal,
) {
  const { address } = target
  if (address === undefined) throw new SensorsError('its address is not known yet')
  const alias = aliasOf(target)
  const hostKeyFile = known === null ? blankHostKeyFile(folder, alias) : writeHostKey(folder, alias, known)
  const run = { folder, user, address, port, alias, hostKeyFile, acceptNewKey: known === null }
  const reading = readSensors(await readOverSsh(run, clock, signal))
  if (!reading) throw new SensorsError('its temperature helper printed no valid readings')
  return { reading, hostKey: known ?? takeHostKey(folder, hostKeyFile) }
}
