<?php
// A page with a table, rendered by Twig behind Slim's router.
require_once 'Slim/autoload.php';
require_once 'Twig/autoload.php';

$items = ['Anemometer' => 149.0, 'Barometer' => 89.5, 'Rain gauge' => 24.5];
$app = new Slim\App();
$app->get('/', function ($request, $response) use ($items) {
    $twig = new Twig\Environment(new Twig\Loader\ArrayLoader([
        'page' => '<h1>Stock</h1><ul>{% for name, price in items %}<li>{{ name }}: {{ price }}</li>{% endfor %}</ul>',
    ]));
    $response->getBody()->write($twig->render('page', ['items' => $items]));
    return $response;
});
$app->run();
