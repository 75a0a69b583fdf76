import { Tooltip as Base } from '@base-ui/react/tooltip'
import { plainText, tooltipMaxWidth } from './tooltip.tsx'

interface TooltipBubbleProps {
  id: string
  target: HTMLElement
}

/** The tooltip, next to its target on the side with space. */
export default function TooltipBubble({ id, target }: TooltipBubbleProps) {
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Positioner
          anchor={target}
          positionMethod="fixed"
          sideOffset={6}
          collisionPadding={8}
          className="z-50"
        >
          <Base.Popup
            id={id}
            role="tooltip"
            data-tip-bubble
            className="appear w-max rounded-md border border-line bg-raised px-2 py-1 text-xs whitespace-pre-line text-ink shadow-raised"
            style={{ maxWidth: Number(target.dataset.tipWidth) || tooltipMaxWidth, overflowWrap: 'anywhere' }}
          >
            {plainText(target.dataset.tip ?? '')}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
