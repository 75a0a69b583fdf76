import { early } from './app/early.ts'
import './styles/index.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createAppRouter } from './app/router.tsx'
import { pageAt, resolvePath } from './app/routes.ts'
import { log } from './lib/log.ts'
import { warmFormats } from './lib/format.ts'

const root = document.getElementById('root')
if (root) {
  // the first page's code comes while the startup check runs
  void pageAt(resolvePath(window.location.pathname))
    ?.load()
    .catch(() => {})
  createRoot(root).render(<App {...early} router={createAppRouter()} />)
  // while the server's answers are on their way
  setTimeout(warmFormats)
} else {
  log.error('Root element not found: nothing can be shown')
}
