import type { ReactNode } from 'react'
import { Notice } from '../../ui/notice.tsx'

interface OwnAddressProps {
  /** Pulse URL used by the command */
  url: string
  /** how to fix it */
  children: ReactNode
}

/** Warns that a localhost address, used by a browser on Pulse's machine, is wrong for any other machine. */
export function OwnAddress({ url, children }: OwnAddressProps) {
  const own = URL.parse(url)
  if (!own || !isLoopback(own)) return null
  return (
    <Notice tone="yellow" title={`Another machine cannot reach Pulse at ${own.origin}`} announce>
      The command works on this machine only. {children}
    </Notice>
  )
}

const isLoopback = ({ hostname }: URL) =>
  hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
