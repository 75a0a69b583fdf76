import type { Guest } from '@pulse/contract'

/** Fields that most updates are made of; what a guest is, where it is and whether it runs are in others. */
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
