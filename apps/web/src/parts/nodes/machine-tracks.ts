import { rem } from '../../lib/text-scale.ts'

const name = `minmax(${rem(156)}, 2.4fr)`
const type = rem(46)
const vmid = rem(64)
/** its share is of the bar */
const usage = `minmax(${rem(70)}, 1.2fr)`
/** has room for '1,006 KB/s' */
const rate = `minmax(${rem(86)}, 0.3fr)`

/** One set of columns for nodes and guests: what is comparable stands below one another. */
export const machineTracks = {
  name,
  type,
  vmid,
  uptime: rem(80),
  usage,
  rate,
  /** of a node, which has neither type nor number */
  wideName: { track: `${name} ${type} ${vmid}`, span: 3 },
  /** how many tracks there are for rates, or for what a node has in their place */
  rates: 4,
  /** px of usual letters */
  minWidth: 900,
} as const

/** Where the window has no room for rates: each table has the columns that its own texts need. */
export const narrowTracks = {
  /** of a guest; its tags and marks stand beside it */
  guest: `minmax(${rem(200)}, 2fr)`,
  /** of a node, which has no opener before it */
  node: `minmax(${rem(160)}, 1.6fr)`,
  /** a bar of 24 px and its figure */
  usage: `minmax(${rem(100)}, 1.2fr)`,
  /** its title is 'Storage / Disk' */
  storageUsage: `minmax(${rem(124)}, 1.2fr)`,
  temperature: rem(64),
  /** px of usual letters */
  minWidth: 760,
} as const
