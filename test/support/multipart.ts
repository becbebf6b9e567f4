/** One part of a body to be built. Header lines are written as given, in this order. */
export type PartLines = { headers: readonly string[]; content: Buffer | string }

/** Writes a body 2046 has it; everything a client may vary can be varied. */
export const multipartBody = (
  boundary: string,
  parts: readonly PartLines[],
  { eol = '\r\n', preamble = '', epilogue = '\r\n' } = {},
): Buffer =>
  Buffer.concat([
    Buffer.from(preamble),
    ...parts.flatMap(({ headers, content }) => [
      Buffer.from(`--${boundary}${eol}${headers.map((line) => `${line}${eol}`).join('')}${eol}`),
      Buffer.from(content),
      Buffer.from(eol),
    ]),
    Buffer.from(`--${boundary}--${epilogue}`),
  ])

/** The part of an event that a body travels in, base64 as API Gateway sends it. */
export const multipartEvent = (contentType: string | undefined, body: Buffer) => ({
  headers: { 'content-type': contentType },
  body: body.toString('base64'),
  isBase64Encoded: true,
})

/** The same body gateway sends what it takes for text. */
export const textEvent = (contentType: string, body: Buffer) => ({
  headers: { 'content-type': contentType },
  body: body.toString('utf8'),
  isBase64Encoded: false,
})

/** A file part as browsers write it. */
export const filePart = (
  content: Buffer | string,
  { name = 'file', filename = 'a.jpg', type = 'image/jpeg' } = {},
): PartLines => ({
  headers: [
    `Content-Disposition: form-data; name="${name}"; filename="${filename}"`,
    `Content-Type: ${type}`,
  ],
  content,
})

/** A text part as browsers write it. */
export const textPart = (content: Buffer | string, name = 'caption'): PartLines => ({
  headers: [`Content-Disposition: form-data; name="${name}"`],
  content,
})

/** How a client spells a picture and a caption. */
export type Client = {
  client: string
  boundary: string
  /** Without a say, the boundary is put behind `boundary=` as it is. */
  contentType?: string
  file: readonly string[]
  caption: readonly string[]
  filename?: string | null
  type?: string
  epilogue?: string
}

const quoted = (boundary: string) => `multipart/form-data; boundary="${boundary}"`

const DISPOSITION = 'Content-Disposition: form-data; name="file"; filename="a.jpg"'
const JPEG = 'Content-Type: image/jpeg'
const CAPTION = 'Content-Disposition: form-data; name="caption"'
const usual = { file: [DISPOSITION, JPEG], caption: [CAPTION] }

/** The forms that clients of our day send, as their sources and captures have them. */
export const CLIENTS: readonly Client[] = [
  { client: 'Chrome', boundary: '----WebKitFormBoundary7MA4YWxkTrZu0gW', ...usual },
  { client: 'Firefox', boundary: '---------------------------9051914041544843365972754266', ...usual },
  { client: 'Firefox since 2024', boundary: '----geckoformboundary8d4b3c2f1e0a9b8c7d6e5f4a', ...usual },
  { client: 'curl', boundary: '------------------------d74496d66958873e', ...usual },
  { client: 'Node fetch (undici)', boundary: '----formdata-undici-012345678901', ...usual },
  {
    client: 'Node form-data and old axios',
    boundary: '--------------------------515890814546601021194782',
    ...usual,
  },
  { client: 'Bun', boundary: '-WebkitFormBoundary0123456789abcdef', ...usual },
  { client: 'Deno', boundary: '----------------------------7d9c1b2a3f4e5d6c', ...usual },
  {
    client: 'Python requests',
    boundary: '0123456789abcdef0123456789abcdef',
    file: [DISPOSITION],
    caption: [CAPTION],
    type: 'text/plain',
  },
  { client: 'Python httpx', boundary: 'fedcba98765432100123456789abcdef', ...usual },
  {
    client: 'Python aiohttp',
    boundary: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
    file: [JPEG, DISPOSITION],
    caption: ['Content-Type: text/plain; charset=utf-8', CAPTION],
  },
  {
    client: 'Python email.generator',
    boundary: '===============7330845974216740156==',
    contentType: quoted('===============7330845974216740156=='),
    file: [JPEG, 'MIME-Version: 1.0', DISPOSITION],
    caption: [
      'Content-Type: text/plain; charset="utf-8"',
      'MIME-Version: 1.0',
      'Content-Transfer-Encoding: 8bit',
      CAPTION,
    ],
  },
  {
    client: 'OkHttp',
    boundary: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    file: [DISPOSITION, JPEG, 'Content-Length: 6'],
    caption: [CAPTION, 'Content-Length: 7'],
  },
  {
    client: 'Retrofit',
    boundary: 'b5c1b1d2-9a0c-4f89-8a53-6a1f0e1c2d3e',
    file: [DISPOSITION, 'Content-Transfer-Encoding: binary', JPEG, 'Content-Length: 6'],
    caption: [CAPTION, 'Content-Transfer-Encoding: binary', 'Content-Type: text/plain; charset=UTF-8'],
  },
  {
    client: 'Dart http',
    boundary: "dart-http-boundary-E5jQ_.+Q1R'o(L)f:x?-K=y,z/",
    file: ['content-type: image/jpeg', 'content-disposition: form-data; name="file"; filename="a.jpg"'],
    caption: [
      'content-disposition: form-data; name="caption"',
      'content-type: text/plain; charset=utf-8',
      'content-transfer-encoding: binary',
    ],
  },
  {
    client: 'Flutter dio',
    boundary: '--dio-boundary-2718281828',
    file: ['content-disposition: form-data; name="file"; filename="a.jpg"', 'content-type: image/jpeg'],
    caption: ['content-disposition: form-data; name="caption"'],
  },
  {
    client: 'Apache HttpClient 4',
    boundary: 'Zk4_-xQ9vB7nM1pL3sD5fG8hJ0',
    file: [DISPOSITION, 'Content-Type: application/octet-stream', 'Content-Transfer-Encoding: binary'],
    caption: [CAPTION, 'Content-Type: text/plain; charset=ISO-8859-1', 'Content-Transfer-Encoding: 8bit'],
    type: 'application/octet-stream',
  },
  {
    client: 'Apache HttpClient 5',
    boundary: 'httpclient_boundary_f47ac10b-58cc-4372-a567-0e02b2c3d479',
    contentType:
      'multipart/form-data; charset=ISO-8859-1; boundary=httpclient_boundary_f47ac10b-58cc-4372-a567-0e02b2c3d479',
    ...usual,
  },
  {
    client: 'Spring RestTemplate',
    boundary: 'Dq2vXk_7-bT4yWn1Zr9',
    contentType: 'multipart/form-data;boundary=Dq2vXk_7-bT4yWn1Zr9;charset=UTF-8',
    file: [DISPOSITION, JPEG, 'Content-Length: 6'],
    caption: [CAPTION, 'Content-Type: text/plain;charset=UTF-8', 'Content-Length: 7'],
  },
  {
    client: 'JavaMail',
    boundary: '----=_Part_12_1804290.1732118400',
    contentType: quoted('----=_Part_12_1804290.1732118400'),
    ...usual,
  },
  {
    client: 'Go mime/multipart',
    boundary: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f0',
    file: [DISPOSITION, 'Content-Type: application/octet-stream'],
    caption: [CAPTION],
    type: 'application/octet-stream',
  },
  {
    client: '.NET HttpClient',
    boundary: '5ad0b2c1-6f0e-4a53-8a63-d0fb4d3a5b21',
    contentType: quoted('5ad0b2c1-6f0e-4a53-8a63-d0fb4d3a5b21'),
    file: [JPEG, "Content-Disposition: form-data; name=file; filename=a.jpg; filename*=utf-8''a.jpg"],
    caption: ['Content-Type: text/plain; charset=utf-8', 'Content-Disposition: form-data; name=caption'],
  },
  {
    client: 'PowerShell',
    boundary: '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9',
    contentType: quoted('0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9'),
    file: ['Content-Disposition: form-data; name=file; filename=a.jpg', JPEG],
    caption: ['Content-Disposition: form-data; name=caption'],
  },
  {
    client: 'Alamofire',
    boundary: 'alamofire.boundary.4b2a9f0c1d3e5f67',
    ...usual,
  },
  { client: 'iOS URLSession', boundary: 'Boundary-E621E1F8-C36C-495A-93FC-0C247A3E6E5F', ...usual },
  {
    client: 'Guzzle',
    boundary: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    file: [DISPOSITION, 'Content-Length: 6', JPEG],
    caption: [CAPTION, 'Content-Length: 7'],
  },
  {
    client: 'Ruby multipart-post',
    boundary: '-----------RubyMultipartPost-4d5e6f',
    file: [DISPOSITION, 'Content-Length: 6', JPEG, 'Content-Transfer-Encoding: binary'],
    caption: [CAPTION],
  },
  {
    client: 'Rust reqwest',
    boundary: '1f2e3d4c5b6a7988-0f1e2d3c4b5a6978-8796a5b4c3d2e1f0-fedcba9876543210',
    ...usual,
  },
  { client: 'Perl LWP', boundary: 'xYzZY', ...usual },
  { client: 'Insomnia', boundary: 'X-INSOMNIA-BOUNDARY', ...usual },
  {
    client: 'Postman',
    boundary: '----WebKitFormBoundary7MA4YWxkTrZu0gW',
    contentType: 'multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW',
    ...usual,
  },
  {
    client: 'a hand-written script',
    boundary: 'x',
    contentType: 'MULTIPART/Form-Data;Boundary=x',
    file: ['CONTENT-DISPOSITION:form-data;name="file";filename="a.jpg"', 'content-TYPE:image/jpeg'],
    caption: ['content-disposition:form-data;name=caption'],
    epilogue: '',
  },
]
