import type { ChannelStatus } from '@pulse/contract'
import type { ComponentType } from 'react'
import type { Part } from './part.ts'

export interface ChannelCardProps {
  /** the configured channels of this kind, also disabled ones */
  channels: readonly ChannelStatus[]
}

/** A kind of channel as the page shows it. Its folder has the form, the test and the card. */
export interface ChannelKindUi {
  label: string
  /** its settings, if the page saves them with the others; absent: the card saves them itself */
  part?: Part<unknown, object>
  Card: ComponentType<ChannelCardProps>
}
