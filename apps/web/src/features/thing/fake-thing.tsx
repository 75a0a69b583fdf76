import type { Connection } from '../../live/connection.ts'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { aRouter } from '../../ui/router/fake-history.ts'
import { GuestPage, NodePage } from './page.tsx'

type Records = Parameters<typeof aLive>[0]

interface Options {
  records?: Records
  connection?: Partial<Connection>
  /** by path; without one the call fails */
  replies?: Record<string, unknown>
  /** of the past */
  moment?: number
}

const nothing = {
  '/api/guests/metadata': {},
  '/api/alerts/history': [],
  '/api/history/changes': { changes: [] },
  '/api/history/series': { tier: 'raw', from: 0, to: 1, series: [] },
}

/** A page as the router shows it. */
export async function showThing(
  path: string,
  { records = {}, connection, replies = {}, ...rest }: Options = {},
) {
  const live = aLive(records, { loadedSlices: ['backups'], ...connection })
  const router = aRouter(path)
  const page = path.startsWith('/proxmox/guest') ? <GuestPage /> : <NodePage />
  return renderInApp(page, {
    live,
    router: { ...router, view: () => withShown(router.view()) },
    replies: { ...nothing, ...replies },
    ...rest,
  })
}

/** The router for tests has no pages, so it shows none. */
const shownViews = new WeakMap<object, object>()
function withShown<View extends { location: unknown }>(view: View): View {
  let shown = shownViews.get(view)
  if (!shown) shownViews.set(view, (shown = { ...view, shown: { location: view.location } }))
  return shown as View
}
