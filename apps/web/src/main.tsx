import './styles/index.css'
import { createRoot } from 'react-dom/client'
import { createBrowserApi } from './api/client.ts'
import { App } from './app/app.tsx'
import { createAppRouter } from './app/router.tsx'
import { pageAt, resolvePath } from './app/routes.ts'
import { browserStartupSteps } from './app/startup-steps.ts'
import { log } from './lib/log.ts'
import { warmFormats } from './lib/format.ts'
import { createLive } from './live/create-live.ts'

const root = document.getElementById('root')
if (root) {
  const api = createBrowserApi()
  // the first page's code comes while the startup check runs
  void pageAt(resolvePath(window.location.pathname))
    ?.load()
    .catch(() => {})
  createRoot(root).render(
    <App api={api} live={createLive()} router={createAppRouter()} startupSteps={browserStartupSteps(api)} />,
  )
  // costs 20 ms once; now it costs nobody anything
  setTimeout(warmFormats)
} else {
  log.error('Root element not found: nothing can be shown')
}
