import { expect, test } from 'vitest'
import { errorText } from './error-text.ts'

const long = 'x'.repeat(200)

test.each([
  { when: 'a JSON error', body: '{"error":"Name is taken","code":"duplicate_name"}', text: 'Name is taken' },
  { when: 'a JSON message', body: '{"message":"Not now"}', text: 'Not now' },
  { when: 'error before message', body: '{"message":"b","error":"a"}', text: 'a' },
  { when: 'a long JSON error', body: `{"error":"${long}"}`, text: long },
  { when: 'JSON that says nothing', body: '{"error":42}', text: 'Request failed with status 500' },
  {
    when: 'text in a pre tag',
    body: '<html><body><pre>Cannot GET /x</pre></body></html>',
    text: 'Cannot GET /x',
  },
  {
    when: 'a pre tag with attributes and entities',
    body: '<pre class="e">a &lt;b&gt;\n &amp;amp;</pre>',
    text: 'a <b>\n &amp;',
  },
  { when: 'markup within a pre tag', body: '<pre>no <b>way</b></pre>', text: 'no way' },
  { when: 'an empty pre tag', body: '<pre></pre>', text: 'Request failed with status 500' },
  { when: 'plain short text', body: ' Bad gateway \n', text: 'Bad gateway' },
  { when: 'plain text of 199', body: 'x'.repeat(199), text: 'x'.repeat(199) },
  { when: 'plain text of 200', body: long, text: 'Request failed with status 500' },
  { when: 'HTML', body: '<!doctype html><p>oops', text: 'Request failed with status 500' },
  { when: 'nothing', body: '', text: 'Request failed with status 500' },
  { when: 'broken JSON', body: '{"error":', text: 'Request failed with status 500' },
])('[spec 1 §8] $when', ({ body, text }) => {
  expect(errorText(500, body)).toBe(text)
})
