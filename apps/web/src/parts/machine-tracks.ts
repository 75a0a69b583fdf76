const name = 'minmax(140px, 1.8fr)'
const type = '46px'
const vmid = '64px'
/** its share is of the bar, where there is one */
const usage = 'minmax(66px, var(--bar-share))'
/** has room for '1,006 KB/s' */
const rate = 'minmax(86px, 0.3fr)'

/** One set of columns for nodes and guests: what is comparable stands below one another. */
export const machineTracks = {
  name,
  type,
  vmid,
  uptime: '80px',
  usage,
  rate,
  /** of a node, which has neither type nor number */
  wideName: { track: `${name} ${type} ${vmid}`, span: 3 },
  /** how many tracks there are for rates, or for what a node has in their place */
  rates: 4,
  /** px */
  minWidth: 900,
} as const
