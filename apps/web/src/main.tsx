import { early } from './app/early.ts'
import './styles/index.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createAppRouter } from './app/router.tsx'
import { decideStartup, type Startup } from './app/startup.ts'
import { log } from './lib/log.ts'
import { warmFormats } from './lib/format.ts'
import { withoutBase } from './lib/base-path.ts'

/** After that something has to be shown, if only that there is nothing yet. */
const graceMs = 150

const container = document.getElementById('root')
/** what the program is drawn by */
export const root = container && createRoot(container)
if (root) {
  const router = createAppRouter()
  // the first page's code comes while the startup check runs
  void router.preload(withoutBase(window.location.pathname))
  const draw = (startup?: Startup) => root.render(<App {...early} startup={startup} router={router} />)
  const tooLong = new Promise<undefined>((resolve) => setTimeout(resolve, graceMs))
  void Promise.race([decideStartup(early.startupSteps), tooLong]).then(draw)
  // while the server's answers are on their way
  setTimeout(warmFormats)
} else {
  log.error('Root element not found: nothing can be shown')
}
