import type { ComponentProps, MouseEvent } from 'react'
import { useLayoutEffect } from 'react'
import { basePath } from '../../lib/base-path.ts'
import { useRouter, useRouterView } from './use-router.ts'

interface LinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick' | 'onPointerEnter' | 'onFocus'> {
  to: string
}

/**
 * A link to a page of the program. The page's code starts to load when the link gets the pointer or the
 * focus.
 */
export function Link({ to, children, ...rest }: LinkProps) {
  const router = useRouter()
  const href = useRouterView(() => router.hrefOf(to))
  const preload = () => void router.preload(to)
  return (
    <a
      {...rest}
      href={basePath + href}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={(event) => {
        if (!isPlain(event)) return
        event.preventDefault()
        void router.go(to)
      }}
    >
      {children}
    </a>
  )
}

/** Redirects when it renders. */
export function Navigate({ to }: { to: string }) {
  const router = useRouter()
  useLayoutEffect(() => router.replace(router.hrefOf(to)), [router, to])
  return null
}

/** A plain click. With modifier keys or a target, the browser opens another tab. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey, currentTarget }: MouseEvent<HTMLElement>) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !currentTarget.getAttribute('target')
