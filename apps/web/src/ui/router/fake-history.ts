import { createHistory, type PageHistory } from './history.ts'
import { createRouter } from './router.ts'

/** The browser's history for tests; the last entry is open. */
export function createMemoryHistory({
  initialEntries = ['/'],
}: { initialEntries?: string[] } = {}): PageHistory & {
  go(by: number): void
} {
  let entries = initialEntries.map((href, at) => ({ href, at }))
  let open = entries.length - 1
  let pop = () => {}
  const go = (by: number) => {
    if (!entries[open + by]) return
    open += by
    pop()
  }
  const history = createHistory({
    href: () => entries[open]!.href,
    at: () => entries[open]!.at,
    put(href, at, how) {
      if (how === 'push') entries = [...entries.slice(0, ++open), { href, at }]
      else entries[open] = { href, at }
    },
    go,
    onPop: (listener) => (pop = listener),
  })
  return { ...history, go }
}

/** A router without pages, for components with links or parameters of the address. */
export function aRouter(path = '/') {
  const router = createRouter({
    history: createMemoryHistory({ initialEntries: [path] }),
    pageAt: () => undefined,
    resolve: (to) => to,
    isServerUp: async () => true,
  })
  router.start()
  return router
}
