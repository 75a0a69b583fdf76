import { type Json, look, type Problems } from './look.ts'

const maxBytes = 28 * 1024

/** A connector card: https://learn.microsoft.com/outlook/actionable-messages/message-card-reference */
export function teamsProblems(body: Json): Problems {
  const at = look()
  at.oneOf(body['@type'], '@type', ['MessageCard'])
  at.oneOf(body['@context'], '@context', ['https://schema.org/extensions', 'http://schema.org/extensions'])
  if (body['text'] === undefined) at.text(body['summary'], 'summary', 1000)
  if (!/^[0-9A-Fa-f]{6}$/.test(String(body['themeColor'] ?? '000000')))
    at.problems.push('themeColor must have six digits')
  for (const [index, section] of at.list(body['sections'] ?? [], 'sections', 10).entries()) {
    const name = `sections[${index}]`
    if (section['activityTitle'] !== undefined)
      at.text(section['activityTitle'], `${name}.activityTitle`, 2000)
    if (section['markdown'] !== undefined) at.oneOf(section['markdown'], `${name}.markdown`, [true, false])
    for (const [factIndex, fact] of at.list(section['facts'] ?? [], `${name}.facts`, 100).entries()) {
      at.text(fact['name'], `${name}.facts[${factIndex}].name`, 500)
      at.text(fact['value'], `${name}.facts[${factIndex}].value`, 2000, 0)
    }
  }
  for (const [index, action] of at.list(body['potentialAction'] ?? [], 'potentialAction', 4).entries()) {
    at.oneOf(action['@type'], `potentialAction[${index}].@type`, ['OpenUri'])
    at.text(action['name'], `potentialAction[${index}].name`, 200)
    for (const target of at.list(action['targets'], `potentialAction[${index}].targets`, 4, 1)) {
      at.oneOf(target['os'], 'os', ['default', 'iOS', 'android', 'windows'])
      at.link(target['uri'], 'uri')
    }
  }
  if (JSON.stringify(body).length > maxBytes) at.problems.push('the card is larger than 28 KB')
  return at.problems
}

/** An adaptive card in a message: https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors */
export function adaptiveProblems(body: Json): Problems {
  const at = look()
  at.oneOf(body['type'], 'type', ['message'])
  for (const [index, attachment] of at.list(body['attachments'], 'attachments', 1, 1).entries()) {
    const name = `attachments[${index}]`
    at.oneOf(attachment['contentType'], `${name}.contentType`, ['application/vnd.microsoft.card.adaptive'])
    const card = at.object(attachment['content'], `${name}.content`)
    at.oneOf(card['type'], `${name}.content.type`, ['AdaptiveCard'])
    at.oneOf(card['version'], `${name}.content.version`, ['1.2', '1.3', '1.4'])
    for (const [elementIndex, element] of at.list(card['body'], 'body', 100, 1).entries())
      elementProblems(at, element, `body[${elementIndex}]`)
    for (const action of at.list(card['actions'] ?? [], 'actions', 6)) {
      at.oneOf(action['type'], 'action.type', ['Action.OpenUrl'])
      at.text(action['title'], 'action.title', 200)
      at.link(action['url'], 'action.url')
    }
  }
  if (JSON.stringify(body).length > maxBytes) at.problems.push('the card is larger than 28 KB')
  return at.problems
}

function elementProblems(at: ReturnType<typeof look>, element: Json, name: string) {
  at.oneOf(element['type'], `${name}.type`, ['TextBlock', 'FactSet'])
  if (element['type'] === 'TextBlock') {
    at.text(element['text'], `${name}.text`, 10_000)
    const colors = [undefined, 'Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention']
    at.oneOf(element['color'], `${name}.color`, colors)
    return
  }
  for (const [index, fact] of at.list(element['facts'], `${name}.facts`, 100, 1).entries()) {
    at.text(fact['title'], `${name}.facts[${index}].title`, 500)
    at.text(fact['value'], `${name}.facts[${index}].value`, 2000)
  }
}
