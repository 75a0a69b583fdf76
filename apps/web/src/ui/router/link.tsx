import type { ComponentProps, MouseEvent } from 'react'
import { useLayoutEffect } from 'react'
import { basePath } from '../../lib/base-path.ts'
import { useRouter } from './use-router.ts'

interface LinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick' | 'onPointerEnter' | 'onFocus'> {
  to: string
}

/** To a page of the program. Its code is fetched as soon as somebody means to go there. */
export function Link({ to, children, ...rest }: LinkProps) {
  const router = useRouter()
  const preload = () => void router.preload(to)
  return (
    <a
      {...rest}
      href={basePath + to}
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

/** Leads to another address at once. */
export function Navigate({ to }: { to: string }) {
  const router = useRouter()
  useLayoutEffect(() => router.replace(to), [router, to])
  return null
}

/** Not for another tab or window, nor for a file. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey, currentTarget }: MouseEvent<HTMLElement>) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !currentTarget.getAttribute('target')
