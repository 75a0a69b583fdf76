import { early } from './app/early.ts'
import './styles/index.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createAppRouter } from './app/router.tsx'
import { decideStartup, type Startup } from './app/startup.ts'
import { log } from './lib/log.ts'
import { warmFormats } from './lib/format.ts'
import { withoutBase } from './lib/base-path.ts'

/** After this time the page must show something, at least a loading screen. */
const graceMs = 150

const container = document.getElementById('root')
/** the React root of the page */
export const root = container && createRoot(container)
if (root) {
  const router = createAppRouter()
  // the first page's code loads during the startup check
  void router.preload(withoutBase(window.location.pathname))
  const draw = (startup?: Startup) => root.render(<App {...early} startup={startup} router={router} />)
  const tooLong = new Promise<undefined>((resolve) => setTimeout(resolve, graceMs))
  void Promise.race([decideStartup(early.startupSteps), tooLong]).then(draw)
  // uses the time until the server answers
  setTimeout(warmFormats)
} else {
  log.error('Root element not found: nothing can be shown')
}
