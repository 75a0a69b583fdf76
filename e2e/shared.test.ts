import { journeys } from './journey.ts'
import { accessibility } from './shared/accessibility.ts'
import { liveChange } from './shared/change.ts'
import { guestDetails } from './shared/details.ts'
import { keyboard } from './shared/keyboard.ts'
import { migration } from './shared/migration.ts'
import { phone } from './shared/phone.ts'
import { sorting } from './shared/sorting.ts'
import { quietRow, steadiness } from './shared/steadiness.ts'
import { scrollPosition } from './shared/scroll-position.ts'

/** seconds; the table says "10d 0h" for half an hour more */
const steadyUptime = 10 * 86_400 + 1_800
const noTraffic = { netInRate: 0, netOutRate: 0, diskReadRate: 0, diskWriteRate: 0 }

// A guest agent needs a minute and a half to answer all questions, so these journeys wait together.
journeys(
  'the Overview',
  (given) => {
    liveChange(given)
    steadiness(given)
    sorting(given)
    keyboard(given)
    scrollPosition(given)
    phone(given)
    accessibility(given)
    migration(given)
    guestDetails(given)
  },
  {
    prepare: ({ lab }) => {
      const still = { cpu: 0.05, memUsed: 300e6, diskUsed: 2e9, uptime: steadyUptime }
      lab.control.patchGuest(quietRow, { ...still, ...noTraffic })
      lab.control.patchGuest(107, { cpu: 0.93 })
    },
  },
)
