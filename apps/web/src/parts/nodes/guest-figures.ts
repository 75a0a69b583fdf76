import type { Guest } from '@pulse/contract'

/** The fields that change with most updates. Identity, node and status are not among them. */
export const guestFigures: ReadonlySet<string> = new Set<keyof Guest>([
  'cpu',
  'memory',
  'disk',
  'diskRead',
  'diskWrite',
  'networkIn',
  'networkOut',
  'ipAddresses',
  'networkInterfaces',
])
