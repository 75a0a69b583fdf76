import { journeys } from './journey.ts'
import { settingsAccessibility } from './settings/accessibility.ts'
import { addServers } from './settings/add-servers.ts'
import { declared, lockedOrigin } from './settings/declared.ts'
import { diagnostics } from './settings/diagnostics.ts'
import { discovery } from './settings/discovery.ts'
import { dockerHosts } from './settings/docker-hosts.ts'
import { firstNode } from './settings/first-node.ts'
import { forgetAfterEach } from './settings/forget.ts'
import { guestUrls } from './settings/guest-urls.ts'
import { system } from './settings/system.ts'
import { transfer } from './settings/transfer.ts'
import { settingsViewer } from './settings/viewer.ts'

/** Each journey claims its own client address, so that the rate limits of one do not affect the others. */
const env = { PULSE_TRUSTED_PROXIES: '127.0.0.1' }
const lab = { pbs: 1, pmg: 1 }

/** No journey calls a host beyond this machine, even if it fails. */
const onlyHere = {
  DISCOVERY_ENABLE_REVERSE_DNS: 'false',
  DISCOVERY_SUBNET_BLOCKLIST: '10.0.0.0/8,100.64.0.0/10,169.254.0.0/16,172.16.0.0/12,192.168.0.0/16',
}

journeys('a first node', firstNode, { fresh: true, connected: false })
journeys(
  'adding servers',
  (given) => {
    forgetAfterEach(given)
    addServers(given)
    discovery(given)
  },
  { env: { ...env, ...onlyHere }, lab, connected: false },
)
journeys('Docker hosts', dockerHosts, { env, connected: false })
journeys('declared settings', declared, { env: { ALLOWED_ORIGINS: lockedOrigin }, connected: false })
journeys(
  'the settings',
  (given) => {
    guestUrls(given)
    system(given)
    diagnostics(given)
    settingsViewer(given)
    settingsAccessibility(given)
    transfer(given)
  },
  { env, lab },
)
