import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { isServerUp } from '../../lib/is-server-up.ts'
import { Button } from '../button.tsx'
import { ErrorBoundary, type Failure } from '../error-boundary.tsx'
import { SectionError } from '../error-screens.tsx'
import { Notice } from '../notice.tsx'
import { Skeleton } from '../skeleton.tsx'
import { codeHasCome, explainMissing, ProgramUpdated } from '../missing-code.ts'

export type LazyPart<P extends object> = ComponentType<P> & {
  /** Fetches the code before it is needed. */
  preload(): Promise<void>
}

interface LazyPartOptions<P extends object> {
  /** while the code is on its way */
  fallback?: (props: P) => ReactNode
  /** when the code cannot be had, or the part cannot be drawn */
  renderFailure?: (failure: Failure, props: P) => ReactNode
}

type State<P> =
  | { kind: 'unknown' | 'loading' }
  | { kind: 'failed'; error: Error }
  | { kind: 'loaded'; Component: ComponentType<P> }

const failedParts = new Set<() => void>()

/** Parts whose code could not be fetched try again: the server is back. */
export function retryMissingCode(): void {
  for (const retry of failedParts) retry()
}

/**
 * A part whose code is loaded when it is first drawn. Its failure stays inside it. React keeps a rejected `lazy` for
 * ever; this one fetches again when it is drawn again, on Retry and when the server is back.
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
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const set = (next: State<P>) => {
    state = next
    for (const listener of listeners) listener()
  }

  const fetchCode = async () => {
    reviveStyles()
    const { default: Component } = await load().catch((error: unknown) => {
      noteBrokenStyle(error)
      throw error
    })
    codeHasCome()
    set({ kind: 'loaded', Component })
  }
  /** Unless it is there or on its way. */
  const need = () => {
    if (state.kind === 'loading' || state.kind === 'loaded') return
    set({ kind: 'loading' })
    fetchCode().catch(async (thrown: unknown) => {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      set({ kind: 'failed', error: await explainMissing(error, isServerUp) })
    })
  }

  /** Drawn again later it begins afresh. */
  const forgetFailure = () => {
    if (state.kind === 'failed') set({ kind: 'unknown' })
  }

  function Part(props: P) {
    const current = useSyncExternalStore(subscribe, () => state)
    useEffect(() => {
      if (current.kind === 'unknown') need()
    }, [current])
    if (current.kind === 'failed') {
      return (
        <Missing retry={need} forget={forgetFailure}>
          {renderFailure({ error: current.error, retry: need }, props)}
        </Missing>
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
        // who needs it is told then
      }),
  })
}

interface MissingProps {
  retry: () => void
  forget: () => void
  children: ReactNode
}

function Missing({ retry, forget, children }: MissingProps) {
  useEffect(() => {
    failedParts.add(retry)
    return () => {
      failedParts.delete(retry)
      forget()
    }
  }, [retry, forget])
  return children
}

/** A section of a page, with a skeleton of its own; `head` stands above it, and above a failure. */
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

/** In the place of the part. */
export function PartFailed({ name, error, retry }: Failure & { name: string }) {
  if (!(error instanceof ProgramUpdated)) return <SectionError section={name} error={error} retry={retry} />
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

/** The bundler's loader names the style sheet that did not come, and never asks for it again. */
function noteBrokenStyle(error: unknown): void {
  const href = error instanceof Error && /^unable to preload css for (.+)$/i.exec(error.message)?.[1]
  if (href) brokenStyles.add(new URL(href, document.baseURI).href)
}

/** Asks for those that did not come; one that is on its way is left alone. */
function reviveStyles(): void {
  if (brokenStyles.size === 0) return
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    if (brokenStyles.delete(link.href)) link.replaceWith(link.cloneNode())
  }
}
