import { accessibility } from './access/accessibility.ts'
import { crossSite } from './access/cross-site.ts'
import { login } from './access/login.ts'
import { names } from './access/names.ts'
import { password } from './access/password.ts'
import { sessions } from './access/sessions.ts'
import { settingsFrame } from './access/settings-frame.ts'
import { tokens } from './access/tokens.ts'
import { viewer } from './access/viewer.ts'
import { journeys } from './journey.ts'

// Each journey claims its own client address, so that the rate limits of one do not affect the others.
journeys(
  'access',
  (given) => {
    login(given)
    sessions(given)
    viewer(given)
    tokens(given)
    password(given)
    names(given)
    crossSite(given)
    settingsFrame(given)
    accessibility(given)
  },
  { env: { PULSE_TRUSTED_PROXIES: '127.0.0.1' } },
)
