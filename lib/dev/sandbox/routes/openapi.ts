import { z } from 'zod';
import type { Variant } from '../../../types/attributes.js';
import { baseProveRequest, derivedProveRequest, proveResponse } from '../../../service/prove/schema.js';
import { proveErrors } from '../../../service/prove/errors.js';

type Schema = Readonly<Record<string, unknown>>;

/** The customer's reply to a callback. */
const callbackReply = z.strictObject({ redirect_uri: z.url({ protocol: /^https?$/ }) });

/** The service's interface as OpenAPI 3.1, made of the schemas that kit and sandbox read it by. */
export function openApi(url: string, variant: Variant): object {
  const request = variant === 'derived' ? derivedProveRequest : baseProveRequest;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Identity verification service (sandbox)',
      version: variant,
      description: `The interface in the variant "${variant}". The callback goes to the Redirect URL of the account. A state should have at least 128 random bits: the nonce that wallets sign is made of it.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    paths: {
      '/prove': {
        post: {
          operationId: 'prove',
          summary: 'Starts an identity verification flow',
          security: [{ apiKey: [] }],
          requestBody: { required: true, content: json(refTo('ProveRequest')) },
          responses: {
            200: described('The verification was started', refTo('ProveResponse')),
            ...failures(),
          },
          callbacks: { result: { '{$request.redirectUrl}': { post: callback } } },
        },
      },
    },
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ProveRequest: schemaOf(request),
        ProveResponse: schemaOf(proveResponse),
        SuccessCallback: form({ presentation: 'The proof', state: 'As sent to /prove' }),
        ErrorCallback: form({ error: 'Code', error_description: 'For people', state: 'As sent to /prove' }),
        CallbackReply: schemaOf(callbackReply),
      },
    },
  };
}

const callback = {
  operationId: 'callback',
  summary: 'Delivers the result to the Redirect URL',
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: { oneOf: [refTo('SuccessCallback'), refTo('ErrorCallback')] },
      },
    },
  },
  responses: { 200: described('Where the browser goes next', refTo('CallbackReply')) },
};

function failures(): Readonly<Record<string, object>> {
  const statuses = [...new Set(Object.values(proveErrors).map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = Object.entries(proveErrors).filter(([, of]) => of.status === status);
      const sentences = codes.map(([code, { sentence }]) => `${code}: ${sentence}`);
      return [status, described(sentences.join(' '), refTo('ProveResponse'))];
    }),
  );
}

/** What is sent: defaults need not be. */
function schemaOf(schema: z.core.$ZodType): Schema {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}

function form(properties: Readonly<Record<string, string>>): Schema {
  const described = Object.entries(properties).map(([name, description]) => [
    name,
    { type: 'string', description },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(described) as object,
    required: Object.keys(properties),
  };
}

function refTo(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function json(schema: Schema): object {
  return { 'application/json': { schema } };
}

function described(description: string, schema: Schema): object {
  return { description, content: json(schema) };
}
