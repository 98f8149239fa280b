// An OpenID Connect provider for SignInIT: people sign in with their name and any password; the groups of each are below.
// usage: node provider.mjs PORT REDIRECT_URI AUDIENCE; prints "ready" when it answers
import Provider from 'oidc-provider';

const [port, redirect, audience] = process.argv.slice(2);
// Another site than 127.0.0.1 for a browser.
const issuer = `http://localhost:${port}`;
const groups = { anna: ['deployers', 'choir'], otto: ['choir'] };

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'dashboard',
      client_secret: 'secret of the dashboard',
      redirect_uris: [redirect],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
    {
      client_id: 'pipeline',
      client_secret: 'secret of the pipeline',
      redirect_uris: [],
      grant_types: ['client_credentials'],
      response_types: [],
    },
  ],
  claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
  // Groups are in the ID token, as those of Dex and Keycloak are.
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  async findAccount(_, id) {
    return { accountId: id, claims: async () => ({ sub: id, preferred_username: id, groups: groups[id] }) };
  },
  features: {
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_, client) => (client.clientId === 'pipeline' ? audience : undefined),
      getResourceServerInfo: () => ({ scope: '', audience, accessTokenFormat: 'jwt', accessTokenTTL: 600 }),
    },
  },
  extraTokenClaims: (_, token) => (token.clientId === 'pipeline' ? { groups: ['deployers'] } : undefined),
});

provider.listen(Number(port), '127.0.0.1', () => console.log('ready'));
