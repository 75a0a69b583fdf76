import { liveChange } from './live/change.ts'
import { guestDetails } from './live/details.ts'
import { sorting } from './live/sorting.ts'
import { quietRow, steadiness } from './live/steadiness.ts'
import { journeys } from './journey.ts'

// These wait for polls, and a guest agent has answered everything only after 92 s: they do their waiting together.
journeys(
  'live figures',
  (given) => {
    liveChange(given)
    steadiness(given)
    sorting(given)
    guestDetails(given)
  },
  { prepare: ({ lab }) => lab.control.patchGuest(quietRow, { cpu: 0.05, memUsed: 300e6, diskUsed: 2e9, ...noTraffic }) },
)

const noTraffic = { netInRate: 0, netOutRate: 0, diskReadRate: 0, diskWriteRate: 0 }
