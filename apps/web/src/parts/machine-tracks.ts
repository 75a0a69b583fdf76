import { rem } from '../lib/text-scale.ts'

const name = `minmax(${rem(140)}, 1.8fr)`
const type = rem(46)
const vmid = rem(64)
/** its share is of the bar, where there is one */
const usage = `minmax(${rem(70)}, var(--bar-share))`
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
