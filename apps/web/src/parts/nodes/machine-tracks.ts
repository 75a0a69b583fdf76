import { guestRates } from '@pulse/contract'
import { rem } from '../../lib/text-scale.ts'

const name = `minmax(${rem(156)}, 2.4fr)`
const type = rem(46)
const vmid = rem(64)
/** the flexible part belongs to the bar */
const usage = `minmax(${rem(70)}, 1.2fr)`
/** has room for '1,006 KB/s' */
const rate = `minmax(${rem(86)}, 0.3fr)`

/** Shared tracks for nodes and guests, so that comparable columns are aligned. */
export const machineTracks = {
  name,
  type,
  vmid,
  uptime: rem(80),
  usage,
  rate,
  /** for a node, which has no type and no VMID */
  wideName: { track: `${name} ${type} ${vmid}`, span: 3 },
  /** number of tracks for rates; a node uses them for its counts */
  rates: guestRates.length,
  /** px at the default text size */
  minWidth: 900,
} as const

/** For narrow windows without rates. Each table sizes its own columns. */
export const narrowTracks = {
  /** for a guest, with its tags and marks */
  guest: `minmax(${rem(200)}, 2fr)`,
  /** for a node, which has no opener */
  node: `minmax(${rem(160)}, 1.6fr)`,
  /** a bar of 24 px and its figure */
  usage: `minmax(${rem(100)}, 1.2fr)`,
  /** its title is 'Storage / Disk' */
  storageUsage: `minmax(${rem(124)}, 1.2fr)`,
  temperature: rem(64),
  /** px at the default text size */
  minWidth: 760,
} as const
