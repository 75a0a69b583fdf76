import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from './button.tsx'
import { ErrorBoundary, type Failure } from './error-boundary.tsx'

/** For a page that fails to render. */
export function ErrorPage({ error, retry }: Failure) {
  const [details, setDetails] = useState(false)
  const detailsId = useId()
  return (
    <div role="alert" className="mx-auto flex min-h-[60dvh] max-w-xl flex-col justify-center gap-4 p-6">
      <div className="flex items-start gap-3">
        <CircleAlert aria-hidden size={20} className="mt-0.5 shrink-0 text-red" />
        <div className="min-w-0">
          <h1 className="text-base font-semibold">Something went wrong</h1>
          <p className="text-ink-2">An unexpected error occurred</p>
        </div>
      </div>
      <p className="rounded-md border border-line bg-surface px-3 py-2 text-table break-words">
        {error.message}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={retry}>
          Try Again
        </Button>
        <Button onClick={() => window.location.reload()}>Reload Page</Button>
        <Button
          variant="ghost"
          aria-expanded={details}
          aria-controls={detailsId}
          onClick={() => setDetails(!details)}
        >
          {details ? 'Hide details' : 'Show details'}
        </Button>
      </div>
      <pre
        id={detailsId}
        hidden={!details}
        className="max-h-64 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-2xs text-ink-2"
      >
        {error.stack ?? error.message}
      </pre>
    </div>
  )
}

/** For a section that fails to render. */
export function SectionError({ section, error, retry }: Failure & { section: string }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-lg border border-red/40 bg-red-soft p-3"
    >
      <CircleAlert aria-hidden size={16} className="shrink-0 text-red" />
      <div className="min-w-0 flex-1">
        <p className="text-table font-medium text-red">{`Error in ${section}`}</p>
        <p className="text-xs break-words text-ink-2">{error.message}</p>
      </div>
      <Button onClick={retry}>Retry</Button>
    </div>
  )
}

/** Contains failures of a section. */
export function Section({ name, children }: { name: string; children: ReactNode }) {
  return (
    <ErrorBoundary renderFailure={(failure) => <SectionError section={name} {...failure} />}>
      {children}
    </ErrorBoundary>
  )
}

/** For a failure of the shell itself. */
export function AppLoadError({ error }: { error: Error }) {
  return (
    <div role="alert" className="flex min-h-dvh flex-col items-center justify-center gap-3 p-6 text-center">
      <h1 className="text-base font-semibold">Error Loading App</h1>
      <p className="max-w-md text-table break-words text-ink-2">{error.message}</p>
      <Button onClick={() => window.location.reload()}>Reload Page</Button>
    </div>
  )
}
