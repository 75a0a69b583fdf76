import { type ReactNode, useLayoutEffect } from 'react'
import { ErrorPage } from '../error-screens.tsx'
import { useRouter, useRouterView } from './use-router.ts'

/** The open page. */
export function Outlet({ fallback }: { fallback: ReactNode }) {
  const { retry } = useRouter()
  const shown = useRouterView((view) => view.shown)
  const isLoading = useRouterView((view) => view.isLoading)
  useLayoutEffect(() => {
    // the browser restores the scroll position after Back and Forward
    if (shown?.how === 'push') window.scrollTo(0, 0)
  }, [shown])
  if (isLoading) return fallback
  if (!shown) return null
  if ('error' in shown) return <ErrorPage error={shown.error} retry={retry} />
  return <shown.Component key={shown.page.path} />
}
