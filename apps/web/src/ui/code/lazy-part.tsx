import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { isServerUp } from '../../lib/is-server-up.ts'
import { Button } from '../button.tsx'
import { ErrorBoundary, type Failure } from '../error-boundary.tsx'
import { SectionError } from '../error-screens.tsx'
import { Notice } from '../notice.tsx'
import { Skeleton } from '../skeleton.tsx'
import { noteCodeLoaded, explainMissing, ReloadNeeded } from '../missing-code.ts'
import { createSignal } from '../../lib/signal.ts'

export type LazyPart<P extends object> = ComponentType<P> & {
  /** Loads the code before it is needed. */
  preload(): Promise<void>
}

interface LazyPartOptions<P extends object> {
  /** shown while the code loads */
  fallback?: (props: P) => ReactNode
  /** shown when the code cannot be loaded or the part fails to render */
  renderFailure?: (failure: Failure, props: P) => ReactNode
}

type State<P> =
  | { kind: 'unknown' | 'loading' }
  | { kind: 'failed'; error: Error }
  | { kind: 'loaded'; Component: ComponentType<P> }

const failedParts = new Set<() => void>()

/** Loads the code of failed parts again, after the server is back. */
export function retryMissingCode(): void {
  for (const retry of failedParts) retry()
}

/**
 * A component with code that loads at its first render. Its failures stay inside it. React caches a rejected
 * `lazy` forever. This one loads again when it is mounted again, on Retry, and when the server is back.
 */
export function lazyPart<P extends object = object>(
  name: string,
  load: () => Promise<{ default: ComponentType<P> }>,
  {
    fallback = () => null,
    renderFailure = (failure) => <PartFailed name={name} {...failure} />,
  }: LazyPartOptions<P> = {},
): LazyPart<P> {
  let state: State<P> = { kind: 'unknown' }
  const { subscribe, emit } = createSignal()
  const set = (next: State<P>) => {
    state = next
    emit()
  }

  const fetchCode = async () => {
    retryStyles()
    const { default: Component } = await load().catch((error: unknown) => {
      noteBrokenStyle(error)
      throw error
    })
    noteCodeLoaded()
    set({ kind: 'loaded', Component })
  }
  /** Does nothing while the code is loading or loaded. */
  const fetchOnce = () => {
    if (state.kind === 'loading' || state.kind === 'loaded') return
    set({ kind: 'loading' })
    fetchCode().catch(async (thrown: unknown) => {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      set({ kind: 'failed', error: await explainMissing(error, isServerUp) })
    })
  }

  /** The next mount tries again. */
  const clearFailure = () => {
    if (state.kind === 'failed') set({ kind: 'unknown' })
  }

  function Part(props: P) {
    const current = useSyncExternalStore(subscribe, () => state)
    useEffect(() => {
      if (current.kind === 'unknown') fetchOnce()
    }, [current])
    if (current.kind === 'failed') {
      return (
        <RetryWhenUp retry={fetchOnce} onUnmount={clearFailure}>
          {renderFailure({ error: current.error, retry: fetchOnce }, props)}
        </RetryWhenUp>
      )
    }
    if (current.kind !== 'loaded') return fallback(props)
    return (
      <ErrorBoundary renderFailure={(failure) => renderFailure(failure, props)}>
        <current.Component {...props} />
      </ErrorBoundary>
    )
  }

  return Object.assign(Part, {
    displayName: name,
    preload: () =>
      fetchCode().catch(() => {
        // rendering the part reports the failure
      }),
  })
}

interface RetryProps {
  retry: () => void
  onUnmount: () => void
  children: ReactNode
}

function RetryWhenUp({ retry, onUnmount: forget, children }: RetryProps) {
  useEffect(() => {
    failedParts.add(retry)
    return () => {
      failedParts.delete(retry)
      forget()
    }
  }, [retry, forget])
  return children
}

/** A lazy section of a page with a skeleton; `head` stays above the skeleton and above a failure. */
export const lazySection = <P extends object = object>(
  name: string,
  load: () => Promise<{ default: ComponentType<P> }>,
  head: (props: P) => ReactNode = () => null,
): LazyPart<P> =>
  lazyPart<P>(name, load, {
    fallback: (props) => (
      <>
        {head(props)}
        <Skeleton className="h-48 w-full" />
      </>
    ),
    renderFailure: (failure, props) => (
      <>
        {head(props)}
        <PartFailed name={name} {...failure} />
      </>
    ),
  })

/** Replaces the part. */
export function PartFailed({ name, error, retry }: Failure & { name: string }) {
  if (!(error instanceof ReloadNeeded)) return <SectionError section={name} error={error} retry={retry} />
  return (
    <Notice
      tone="yellow"
      title={error.message}
      announce
      action={<Button onClick={() => window.location.reload()}>Reload Page</Button>}
    />
  )
}

const brokenStyles = new Set<string>()

/** The bundler's loader names a style sheet that failed, but never loads it again. */
function noteBrokenStyle(error: unknown): void {
  const href = error instanceof Error && /^unable to preload css for (.+)$/i.exec(error.message)?.[1]
  if (href) brokenStyles.add(new URL(href, document.baseURI).href)
}

/** Loads failed style sheets again. */
function retryStyles(): void {
  if (brokenStyles.size === 0) return
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    if (brokenStyles.delete(link.href)) link.replaceWith(link.cloneNode())
  }
}
