import type { Guest, Storage } from '../estate/estate.ts'
import { fraction } from '../random.ts'

/** The interval of backups to a storage, the guests that take part and the number of backups that are kept. */
export interface Plan {
  everyDays: number
  kept: number
  takes: (guest: Guest, storage: Storage) => boolean
}

const aShare =
  (share: number): Plan['takes'] =>
  (guest, storage) =>
    fraction(guest.seed ^ storage.seed, 1) < share

const plans: Readonly<Record<string, Plan>> = {
  // The nightly job includes all guests except those that it excludes by VMID.
  'pbs-main': { everyDays: 1, kept: 3, takes: (guest) => !isExcluded(guest) },
  'pbs-offsite': { everyDays: 7, kept: 2, takes: aShare(0.15) },
  'nas-backup': { everyDays: 7, kept: 2, takes: aShare(0.25) },
  local: { everyDays: 30, kept: 1, takes: aShare(0.05) },
  'usb-disk': { everyDays: 30, kept: 1, takes: aShare(0.04) },
}

export const planFor = (storage: Storage): Plan | undefined => plans[storage.name]

export const isExcluded = ({ vmid, fate }: Guest): boolean => vmid % 25 === 5 || fate.none === true
